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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.xtable.index.iceberg.RowGroups;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.TableSyncReport;
import org.apache.xtable.spark.extensions.LogCapture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sync writes is what Iceberg reads, and what Hudi's own reader finds. */
class IndexContentTest {
  private static SyncFixture fixture;

  @BeforeAll
  static void start(@TempDir Path folder) {
    fixture = new SyncFixture(folder);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  @DisplayName(
      "C4: the first sync builds, a later one adds what is new, one without news commits nothing")
  void syncsAreIncremental() {
    fixture.sql("CREATE TABLE lake.db.increments (id BIGINT, k STRING) USING iceberg");
    fixture.sql(
        "INSERT INTO lake.db.increments SELECT id, concat('k', id) FROM range(0, 1000, 1, 2)");
    TableSyncReport built;
    try (LogCapture log = new LogCapture("org.apache.xtable.spark")) {
      built = fixture.sync("increments", "k");
      assertThat(log.events())
          .extracting(event -> event.getMessage().getFormattedMessage())
          .anySatisfy(
              line ->
                  assertThat(line)
                      .contains(
                          "read 2 of 2 files, 1,000 of 1,000 rows", "wrote 1 of 1 file groups"));
    }
    assertThat(built.action()).isEqualTo(TableSyncReport.Action.BUILT);
    assertThat(built.filesAdded()).isEqualTo(2);
    assertThat(built.entries()).isEqualTo(1000);
    assertThat(built.bytes()).isPositive();

    fixture.sql(
        "INSERT INTO lake.db.increments SELECT id, concat('k', id) FROM range(990, 1100, 1, 1)");
    TableSyncReport updated = fixture.sync("increments", "k");
    assertThat(updated.action()).isEqualTo(TableSyncReport.Action.UPDATED);
    assertThat(updated.filesAdded()).isEqualTo(1);
    assertThat(updated.entries()).isEqualTo(110);
    assertThat(fixture.index("increments").state().snapshotId())
        .isEqualTo(fixture.table("increments").currentSnapshot().snapshotId());
    for (int id : new int[] {0, 989, 990, 999, 1000, 1099}) {
      assertThat(fixture.locations("increments", "k" + id))
          .isEqualTo(fixture.rows("increments", "id = " + id))
          .isEqualTo(stock("increments", "k" + id));
    }
    assertThat(fixture.locations("increments", "absent", "k1100", "", "k")).isEmpty();

    String[] before = fixture.indexFolder("increments").resolve("timeline").toFile().list();
    TableSyncReport unchanged = fixture.sync("increments", "k");
    assertThat(unchanged.action()).isEqualTo(TableSyncReport.Action.UNCHANGED);
    assertThat(fixture.indexFolder("increments").resolve("timeline").toFile().list())
        .containsExactlyInAnyOrder(before);
  }

  @Test
  @DisplayName("C8: one entry a value, file and row group, at the row that Iceberg's _pos tells")
  void positionsAreThoseOfTheFirstRowInEachRowGroup() {
    fixture.sql(
        "CREATE TABLE lake.db.row_groups (id BIGINT, k STRING) USING iceberg TBLPROPERTIES"
            + " ('write.parquet.row-group-size-bytes'='20000',"
            + " 'write.parquet.row-group-check-min-record-count'='100',"
            + " 'write.parquet.row-group-check-max-record-count'='100')");
    fixture.sql(
        "INSERT INTO lake.db.row_groups SELECT id, concat('k', id %% 700) FROM range(0, 20000, 1, 2)");
    assertThat(
            fixture
                .table("row_groups")
                .currentSnapshot()
                .addedDataFiles(fixture.table("row_groups").io()))
        .allSatisfy(file -> assertThat(file.splitOffsets()).hasSizeGreaterThan(3));
    fixture.sync("row_groups", "k");
    Map<String, List<Long>> ends = rowGroupEnds("row_groups");
    for (int key : new int[] {0, 1, 13, 350, 699}) {
      Map<String, Set<Long>> firsts =
          firstOfEachRowGroup(fixture.rows("row_groups", "k = 'k" + key + "'"), ends);
      assertThat(fixture.locations("row_groups", "k" + key))
          .describedAs("k%d", key)
          .isEqualTo(firsts)
          .isEqualTo(stock("row_groups", "k" + key));
    }
  }

  private static Map<String, List<Long>> rowGroupEnds(String name) {
    Map<String, List<Long>> ends = new TreeMap<>();
    fixture
        .table(name)
        .currentSnapshot()
        .addedDataFiles(fixture.table(name).io())
        .forEach(
            file -> {
              RowGroups groups =
                  RowGroups.of(fixture.table(name).io().newInputFile(file.location()));
              List<Long> found = new ArrayList<>();
              for (long row = 0; row < file.recordCount(); row = found.get(found.size() - 1)) {
                found.add(groups.endOfGroupWith(row));
              }
              ends.put(fixture.dataPath(name).relativize(file.location()).orElseThrow(), found);
            });
    return ends;
  }

  private static Map<String, Set<Long>> firstOfEachRowGroup(
      Map<String, Set<Long>> rows, Map<String, List<Long>> ends) {
    Map<String, Set<Long>> firsts = new TreeMap<>();
    rows.forEach(
        (file, positions) -> {
          Map<Long, Long> firstByEnd = new TreeMap<>();
          for (long position : positions) {
            long end = ends.get(file).stream().filter(e -> position < e).findFirst().orElseThrow();
            firstByEnd.merge(end, position, Math::min);
          }
          firsts.put(file, new TreeSet<>(firstByEnd.values()));
        });
    return firsts;
  }

  @Test
  @DisplayName("Every value is found by itself, whatever Unicode it is made of")
  void everyKindOfTextIsFound() {
    long seed = Long.getLong("xtable.test.seed", System.nanoTime());
    System.out.println("everyKindOfTextIsFound: -Dxtable.test.seed=" + seed);
    List<String> values = new ArrayList<>(texts(new Random(seed)));
    fixture.sql("CREATE TABLE lake.db.texts (id BIGINT, k STRING) USING iceberg");
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      rows.add(RowFactory.create((long) i, values.get(i)));
    }
    StructType schema =
        new StructType().add("id", DataTypes.LongType).add("k", DataTypes.StringType);
    try {
      fixture
          .spark()
          .createDataFrame(rows, schema)
          .repartition(3)
          .writeTo("lake.db.texts")
          .append();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    fixture.sync("texts", HudiTarget.ofColumn("k").withFileGroups(3, 3));
    // What is asked is what Spark makes of the literal: a lone surrogate is stored as '?'.
    Map<Long, String> stored = new TreeMap<>();
    fixture
        .spark()
        .table("lake.db.texts")
        .collectAsList()
        .forEach(row -> stored.put(row.getLong(0), row.getString(1)));
    Map<String, Map<String, Set<Long>>> expected = new TreeMap<>();
    for (Row row :
        fixture.spark().sql("SELECT k, _file, _pos FROM lake.db.texts").collectAsList()) {
      expected
          .computeIfAbsent(row.getString(0), ignored -> new TreeMap<>())
          .computeIfAbsent(
              fixture.dataPath("texts").relativize(row.getString(1)).orElseThrow(),
              ignored -> new TreeSet<>())
          .add(row.getLong(2));
    }
    assertThat(stored.values()).hasSameSizeAs(values);
    expected.forEach(
        (value, where) -> {
          Map<String, Set<Long>> found = fixture.locations("texts", value);
          assertThat(found.keySet()).describedAs("%s", codes(value)).isEqualTo(where.keySet());
          found.forEach((file, positions) -> assertThat(where.get(file)).containsAll(positions));
        });
    int checked = 0;
    for (String value : expected.keySet()) {
      if (checked++ % 20 == 0) {
        assertThat(stock("texts", value))
            .describedAs("stock %s", codes(value))
            .isEqualTo(fixture.locations("texts", value));
      }
    }
  }

  private static Set<String> texts(Random random) {
    int[] alphabet = {
      'a', 'z', '$', '\\', 0, '_', ' ', '\n', 0x7F, 0xE9, 0x4E2D, 0xD7FE, 0xD7FF, 0xE000, 0xF8FF,
      0xFF21, 0xFFFD, 0xFFFF, 0x1F600, 0x10FFFF, 0x10000, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x100,
      0x1FF, 0x200
    };
    Set<String> texts =
        new LinkedHashSet<>(List.of("", "$", "\\", "\0", "\\$", "$$", "a$b_0", "a_0$b"));
    for (int c : alphabet) {
      texts.add(text(c));
      texts.add(text(c, c));
      texts.add("x" + text(c) + "y");
    }
    while (texts.size() < 1500) {
      int[] chars =
          random.ints(1 + random.nextInt(6), 0, alphabet.length).map(i -> alphabet[i]).toArray();
      texts.add(text(chars));
    }
    texts.add("long".repeat(500));
    texts.add("long".repeat(500) + "er");
    texts.add("\uD83D\uDE00".repeat(20_000));
    texts.add("e".repeat(100_000));
    return texts;
  }

  private static String text(int... chars) {
    StringBuilder text = new StringBuilder();
    for (int c : chars) {
      if (Character.isBmpCodePoint(c)) {
        text.append((char) c);
      } else {
        text.appendCodePoint(c);
      }
    }
    return text.toString();
  }

  private static String codes(String value) {
    StringBuilder codes = new StringBuilder();
    value.chars().limit(20).forEach(c -> codes.append(Integer.toHexString(c)).append(' '));
    return codes.toString();
  }

  @Test
  @DisplayName("C5: int and bigint columns, extremes included; nulls have no entries")
  void numbersAreIndexed() {
    fixture.sql("CREATE TABLE lake.db.numbers (i INT, b BIGINT) USING iceberg");
    fixture.sql(
        "INSERT INTO lake.db.numbers VALUES (1, 1L), (-1, -1L), (0, 0L), (NULL, NULL),"
            + " (2147483647, 9223372036854775807L), (%d, %dL + -1L), (1, 10L)",
        Integer.MIN_VALUE, -Long.MAX_VALUE);
    fixture.sync("numbers", "i");
    for (int i : new int[] {1, -1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThat(fixture.locations("numbers", i).keySet())
          .describedAs("%d", i)
          .isEqualTo(fixture.rows("numbers", "i = " + i).keySet())
          .isNotEmpty();
    }
    assertThat(fixture.locations("numbers", 2)).isEmpty();

    fixture.sql("CREATE TABLE lake.db.bigints USING iceberg AS SELECT * FROM lake.db.numbers");
    TableSyncReport report = fixture.sync("bigints", "b");
    assertThat(report.entries()).isEqualTo(6);
    for (long b : new long[] {1, -1, 0, 10, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThat(fixture.locations("bigints", b))
          .describedAs("%d", b)
          .isEqualTo(fixture.rows("bigints", b == Long.MIN_VALUE ? "b < -1" : "b = " + b))
          .isEqualTo(fixture.stockLocations("bigints", "secondary_index_b", b))
          .isNotEmpty();
    }
  }

  @Test
  @DisplayName(
      "C7: after many syncs every file outside .hoodie is as it was, and Hudi reads the table's rows")
  void dataFilesAreSacred() {
    fixture.sql(
        "CREATE TABLE lake.db.sacred (id BIGINT, k STRING, p STRING) USING iceberg PARTITIONED BY (p)");
    Map<Path, String> before = Map.of();
    for (int sync = 0; sync < 13; sync++) {
      fixture.sql(
          "INSERT INTO lake.db.sacred SELECT id, concat('k', id), concat('p/ =', id %% 2) FROM range(%d, %d, 1, 1)",
          sync * 10, sync * 10 + 10);
      if (sync == 5) {
        fixture.sql("DELETE FROM lake.db.sacred WHERE p = 'p/ =0' AND id < 20");
      }
      before = SyncFixture.contentOutsideIndex(fixture.folder().resolve("lake/db/sacred"));
      fixture.sync("sacred", "k");
      assertThat(SyncFixture.contentOutsideIndex(fixture.folder().resolve("lake/db/sacred")))
          .describedAs("after sync %d", sync)
          .isEqualTo(before);
    }
    assertThat(before).hasSizeGreaterThan(26);
    for (int id : new int[] {1, 21, 129, 100}) {
      assertThat(fixture.locations("sacred", "k" + id))
          .describedAs("k%d", id)
          .isEqualTo(fixture.rows("sacred", "id = " + id))
          .isEqualTo(stock("sacred", "k" + id));
    }
    assertThat(
            fixture
                .spark()
                .read()
                .format("hudi")
                .load(fixture.dataPath("sacred").location())
                .select("id", "k", "p")
                .collectAsList())
        .containsExactlyInAnyOrderElementsOf(
            fixture.spark().table("lake.db.sacred").select("id", "k", "p").collectAsList());
  }

  private static Map<String, Set<Long>> stock(String name, String key) {
    return fixture.stockLocations(name, "secondary_index_k", key);
  }
}
