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
package org.apache.xtable.index.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.xtable.index.IcebergTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * C10: whatever happened between two snapshots, their difference is that of their files. To replay
 * a failure, give its seed in the system property {@code seed}.
 */
class TableFilesRandomTest {
  private static final int STEPS = 30;

  @TempDir Path folder;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<Long, Set<String>> filesBySnapshot = new HashMap<>();
  private IcebergTable iceberg;

  @Test
  void differenceOfTwoSnapshotsIsThatOfTheirFiles() {
    iceberg = IcebergTable.create(folder.resolve("t"));
    iceberg.append(1);
    remember();
    for (int step = 0; step < STEPS; step++) {
      change();
      remember();
      Snapshot from = any(snapshots());
      Snapshot to = iceberg.table().currentSnapshot();
      assertDifference(from, to, step);
    }
  }

  private void assertDifference(Snapshot from, Snapshot to, int step) {
    Set<String> before = filesBySnapshot.get(from.snapshotId());
    Set<String> after = filesBySnapshot.get(to.snapshotId());
    FileChanges changes = files().changes(from, to, before.size(), 0).orElseThrow();
    String description = String.format("seed %d, step %d", seed, step);
    assertThat(names(changes.added())).as(description).isEqualTo(minus(after, before));
    assertThat(changes.removed()).as(description).isEqualTo(minus(before, after));
    assertThat(changes.liveFiles()).as(description).isEqualTo(after.size());
    assertThat(names(files().changes(before, to).added()))
        .as(description)
        .isEqualTo(minus(after, before));
  }

  private void change() {
    Table table = iceberg.table();
    List<CoveredFile> live = files().of(table.currentSnapshot());
    switch (random.nextInt(9)) {
      case 0:
      case 1:
        iceberg.append(1 + random.nextInt(3));
        break;
      case 2:
        table.newFastAppend().appendFile(iceberg.write(1)).appendFile(iceberg.write(1)).commit();
        break;
      case 3:
        if (live.size() > 1) {
          table.newDelete().deleteFile(any(live).dataFile().location()).commit();
        }
        break;
      case 4:
        if (!live.isEmpty()) {
          DataFile old = any(live).dataFile();
          table.newOverwrite().deleteFile(old).addFile(iceberg.write(2)).commit();
        }
        break;
      case 5:
        table.rewriteManifests().clusterBy(file -> random.nextInt(2)).commit();
        break;
      case 6:
        rollBack();
        break;
      case 7:
        if (live.size() > 1) {
          iceberg.hideRows(any(live).dataFile());
        }
        break;
      default:
        evolvePartitionsOrExpire();
    }
  }

  private void rollBack() {
    Table table = iceberg.table();
    Snapshot current = table.currentSnapshot();
    Long parent = current.parentId();
    if (parent != null && table.snapshot(parent) != null) {
      table.manageSnapshots().rollbackTo(parent).commit();
    }
  }

  private void evolvePartitionsOrExpire() {
    Table table = iceberg.table();
    if (table.spec().isUnpartitioned()) {
      table.updateSpec().addField(Expressions.bucket("id", 4)).commit();
      return;
    }
    Snapshot victim = any(snapshots());
    if (victim.snapshotId() != iceberg.currentId()) {
      iceberg.expire(victim.snapshotId());
    }
  }

  /** What Iceberg itself would read of the current snapshot. */
  private void remember() {
    Table table = iceberg.table();
    Set<String> files = new HashSet<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        files.add(TableDataPath.of(table).relativize(task.file().location()).orElseThrow());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(names(files().of(table.currentSnapshot()))).as("seed %d", seed).isEqualTo(files);
    filesBySnapshot.put(table.currentSnapshot().snapshotId(), files);
  }

  private List<Snapshot> snapshots() {
    List<Snapshot> snapshots = new ArrayList<>();
    iceberg.table().snapshots().forEach(snapshots::add);
    return snapshots;
  }

  private TableFiles files() {
    Table table = iceberg.table();
    return new TableFiles(table, new CoveredFiles(TableDataPath.of(table)));
  }

  private <T> T any(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  private static Set<String> minus(Set<String> some, Set<String> others) {
    Set<String> rest = new HashSet<>(some);
    rest.removeAll(others);
    return rest;
  }

  private static Set<String> names(List<CoveredFile> files) {
    return files.stream().map(CoveredFile::relativePath).collect(Collectors.toSet());
  }
}
