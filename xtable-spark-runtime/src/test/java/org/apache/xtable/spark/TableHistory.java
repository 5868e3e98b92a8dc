/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.xtable.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Row;
import org.apache.xtable.index.SyncedState;
import org.apache.xtable.index.sync.TableSyncReport;
import org.apache.xtable.index.sync.TableSyncReport.Action;

/**
 * A table that changes, and its index that follows: each sync is checked for what it read, and the
 * index that it left for what it knows and for the answers that queries get from it.
 */
final class TableHistory {
  /** So many values of the table are looked up after each sync, spread over all of them. */
  private static final int SAMPLE = 40;

  private final SyncFixture fixture;
  private final String name;
  private final String column;
  private final String quoted;

  TableHistory(SyncFixture fixture, String name, String column) {
    this.fixture = fixture;
    this.name = name;
    this.column = column;
    this.quoted = "`" + column.replace("`", "``") + "`";
  }

  /** The first sync. */
  TableSyncReport build() {
    TableSyncReport report = fixture.sync(name, column);
    assertThat(report.action()).as("%s", report).isEqualTo(Action.BUILT);
    assertThat(report.filesAdded()).as("%s", report).isEqualTo(coveredFiles().size());
    assertRight();
    return report;
  }

  /** Changes the table; the sync after that reads exactly the files that are new. */
  TableSyncReport follow(Runnable change) {
    Set<String> before = coveredFiles();
    change.run();
    Set<String> after = coveredFiles();
    TableSyncReport report = fixture.sync(name, column);
    assertThat(report.action()).as("%s", report).isEqualTo(Action.UPDATED);
    assertThat(report.filesAdded()).as("%s", report).isEqualTo(missingIn(before, after));
    assertThat(report.filesRemoved()).as("%s", report).isEqualTo(missingIn(after, before));
    assertRight();
    return report;
  }

  TableSyncReport follow(String statement, Object... args) {
    return follow(() -> fixture.sql(statement, args));
  }

  /** Changes the table in a way that leaves nothing to add to; the sync after that rebuilds. */
  TableSyncReport rebuild(Runnable change) {
    change.run();
    TableSyncReport report = fixture.sync(name, column);
    assertThat(report.action()).as("%s", report).isEqualTo(Action.REBUILT);
    assertThat(report.reason()).as("%s", report).isPresent();
    assertThat(report.filesAdded()).as("%s", report).isEqualTo(coveredFiles().size());
    assertRight();
    return report;
  }

  /** With nothing new, a sync commits nothing. */
  void assertInSync() {
    Set<String> before = SyncFixture.files(fixture.indexFolder(name));
    TableSyncReport report = fixture.sync(name, column);
    assertThat(report.action()).as("%s", report).isEqualTo(Action.UNCHANGED);
    assertThat(SyncFixture.files(fixture.indexFolder(name))).isEqualTo(before);
  }

  private static long missingIn(Set<String> some, Set<String> others) {
    return others.stream().filter(file -> !some.contains(file)).count();
  }

  /**
   * The index is synced to the current snapshot, knows every covered file of every value that the
   * table has, and is used by queries, whose answers it does not change.
   */
  void assertRight() {
    Table table = fixture.table(name);
    SyncedState state = fixture.index(name).state();
    assertThat(state.snapshotId())
        .as("synced snapshot of %s", name)
        .isEqualTo(
            table.currentSnapshot() == null
                ? SyncedState.NO_SNAPSHOT
                : table.currentSnapshot().snapshotId());
    assertThat(state.liveFiles()).as("live files of %s", name).isEqualTo(coveredFiles().size());
    Map<Object, Set<String>> files = filesByValue();
    sample(List.copyOf(files.keySet()), SAMPLE).forEach(value -> assertKnown(value, files));
    sample(List.copyOf(files.keySet()), 1).forEach(this::assertUsed);
    assertSameAnswer(String.format("%s IN (%s)", quoted, literals(files.keySet())));
  }

  /** The index knows, in at least so many files, a value that the table need not show. */
  void assertKnows(Object value, int files) {
    assertThat(fixture.locations(name, value))
        .as("files of %s in the index of %s", value, name)
        .hasSizeGreaterThanOrEqualTo(files);
  }

  private void assertKnown(Object value, Map<Object, Set<String>> files) {
    assertThat(fixture.locations(name, value).keySet())
        .as("files with %s in the index of %s", value, name)
        .containsAll(files.get(value));
  }

  private void assertUsed(Object value) {
    String condition = quoted + " = " + literal(value);
    assertThat(assertSameAnswer(condition)).as("rows with %s in %s", value, name).isNotEmpty();
    assertThat(fixture.decision(select(condition)))
        .as("use of the index of %s for %s", name, condition)
        .contains("[index: used, ")
        .doesNotContain("not used");
  }

  private List<String> assertSameAnswer(String condition) {
    String query = select(condition);
    List<String> expected = fixture.rows(query, false);
    assertThat(fixture.rows(query, true)).as(query).isEqualTo(expected);
    return expected;
  }

  private String select(String condition) {
    return "SELECT * FROM lake.db." + name + " WHERE " + condition;
  }

  private Map<Object, Set<String>> filesByValue() {
    Map<Object, Set<String>> files = new TreeMap<>();
    for (Row row :
        fixture
            .spark()
            .sql(
                String.format(
                    "SELECT DISTINCT %1$s, _file FROM lake.db.%2$s WHERE %1$s IS NOT NULL",
                    quoted, name))
            .collectAsList()) {
      Set<String> known = files.computeIfAbsent(row.get(0), ignored -> new TreeSet<>());
      if (row.getString(1).endsWith(".parquet")) {
        fixture.dataPath(name).relativize(row.getString(1)).ifPresent(known::add);
      }
    }
    return files;
  }

  /** By the manifests of the current snapshot: files whose rows are all deleted are there too. */
  private Set<String> coveredFiles() {
    Table table = fixture.table(name);
    Set<String> covered = new TreeSet<>();
    if (table.currentSnapshot() == null) {
      return covered;
    }
    for (ManifestFile manifest : table.currentSnapshot().dataManifests(table.io())) {
      try (ManifestReader<DataFile> files =
          ManifestFiles.read(manifest, table.io(), table.specs())) {
        for (DataFile file : files) {
          if (file.format() == FileFormat.PARQUET) {
            fixture.dataPath(name).relativize(file.location()).ifPresent(covered::add);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return covered;
  }

  private static String literals(Set<Object> values) {
    String absent = values.stream().anyMatch(String.class::isInstance) ? "'absent'" : "-77";
    return sample(List.copyOf(values), 3).stream()
        .map(TableHistory::literal)
        .collect(Collectors.joining(", ", "", values.isEmpty() ? absent : ", " + absent));
  }

  private static String literal(Object value) {
    return value instanceof String
        ? "'" + ((String) value).replace("\\", "\\\\").replace("'", "\\'") + "'"
        : value.toString();
  }

  private static <T> List<T> sample(List<T> all, int size) {
    int step = Math.max(1, all.size() / size);
    return java.util.stream.IntStream.range(0, all.size())
        .filter(i -> i % step == 0)
        .limit(size)
        .mapToObj(all::get)
        .collect(Collectors.toList());
  }
}
