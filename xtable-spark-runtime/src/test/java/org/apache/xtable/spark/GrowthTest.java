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

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hudi.io.hfile.HFileTrailer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.xtable.index.hudi.HudiSecondaryIndexes;
import org.apache.xtable.index.sync.TableSyncReport;
import org.apache.xtable.index.sync.TableSyncReport.Action;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What many small syncs leave. {@code xtable.test.syncs} makes the run longer, {@code
 * xtable.test.seed} replays it.
 */
class GrowthTest {
  private static final int SYNCS = Integer.getInteger("xtable.test.syncs", 36);
  private static final int ROWS = 20;

  /** Hudi keeps 20 to 30 commits, and those since the metadata table's last compaction. */
  private static final int MAX_COMMITS = 30 + 11;

  private static SyncFixture fixture;

  private final long seed = Long.getLong("xtable.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<Path, String> data = new HashMap<>();

  @BeforeAll
  static void start(@TempDir Path folder) {
    fixture = new SyncFixture(folder);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  @DisplayName("C11: however many syncs, few files below .hoodie, and lookups read few of them")
  void manySmallSyncs() throws Exception {
    System.out.println("manySmallSyncs: replay with -Dxtable.test.seed=" + seed);
    fixture.sql("CREATE TABLE lake.db.many (id BIGINT, k STRING) USING iceberg");
    for (int sync = 0; sync < SYNCS; sync++) {
      change(sync);
      TableSyncReport report = fixture.sync("many", "k");
      assertThat(report.action()).as("sync %d, %s", sync, report).isEqualTo(wanted(sync));
      assertFewFiles(sync);
      if (sync == 0 || sync % 10 == 9 || sync == SYNCS - 1) {
        assertAnswers();
      }
    }
    assertThat(fixture.indexFolder("many").resolve("metadata/secondary_index_k").toFile().list())
        .as("files of entries: Hudi has compacted the first away")
        .noneMatch(name -> name.endsWith("_00000000000000001.hfile"));
    assertThat(fixture.indexFolder("many").resolve("timeline/history").toFile().list())
        .as("the archive")
        .isNotEmpty();
    assertThat(SyncFixture.contentOutsideIndex(fixture.dataFolder("many"))).isEqualTo(data);
  }

  @Test
  @DisplayName("C11: a compaction leaves blocks as small as those of a build: one lookup reads one")
  void compactedBlocksAreSmall() throws Exception {
    fixture.sql("CREATE TABLE lake.db.compacted (id BIGINT, k STRING) USING iceberg");
    fixture.sql("INSERT INTO lake.db.compacted SELECT id, concat('k', id) FROM range(20000)");
    Path entries = fixture.indexFolder("compacted").resolve("metadata/secondary_index_k");
    for (int sync = 0; compacted(entries).isEmpty(); sync++) {
      assertThat(sync).as("syncs until Hudi compacts").isLessThan(20);
      assertThat(fixture.sync("compacted", "k").action()).isEqualTo(wanted(sync));
      fixture.sql("INSERT INTO lake.db.compacted VALUES (0, 'k0')");
    }
    byte[] file = Files.readAllBytes(compacted(entries).get(0));
    HFileTrailer trailer = new HFileTrailer(3, file[file.length - 4]);
    int bytes = HFileTrailer.getTrailerSize();
    trailer.deserialize(
        new DataInputStream(new ByteArrayInputStream(file, file.length - bytes, bytes)));
    assertThat(trailer.getNumKeyValueEntries()).isGreaterThanOrEqualTo(20_000);
    assertThat(trailer.getDataIndexCount()).as("blocks").isGreaterThan(100);
  }

  /** Files of entries that Hudi has written. */
  private static List<Path> compacted(Path entries) throws IOException {
    if (!Files.exists(entries)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(entries)) {
      return files
          .filter(file -> file.toString().endsWith(".hfile"))
          .filter(file -> !file.toString().endsWith("_00000000000000001.hfile"))
          .collect(Collectors.toList());
    }
  }

  private static Action wanted(int sync) {
    return sync == 0 ? Action.BUILT : Action.UPDATED;
  }

  private void change(int sync) {
    if (sync % 16 == 14) {
      // The file that the change before has deleted comes back.
      long parent = fixture.table("many").currentSnapshot().parentId();
      fixture.sql("CALL lake.system.rollback_to_snapshot('db.many', %d)", parent);
    }
    int from = sync * ROWS;
    fixture.sql(
        "INSERT INTO lake.db.many SELECT id, concat('k', id) FROM range(%d, %d, 1, 1)",
        from, from + ROWS);
    if (sync % 8 == 5) {
      int gone = random.nextInt(sync) * ROWS;
      fixture.sql("DELETE FROM lake.db.many WHERE id >= %d AND id < %d", gone, gone + ROWS);
    }
    data.putAll(SyncFixture.contentOutsideIndex(fixture.dataFolder("many")));
  }

  private static void assertFewFiles(int sync) throws IOException {
    Path hoodie = fixture.indexFolder("many");
    assertThat(count(hoodie.resolve("timeline")))
        .as("files of the data timeline after sync %d", sync)
        .isLessThanOrEqualTo(3 * MAX_COMMITS + 20);
    assertThat(count(hoodie.resolve("metadata/.hoodie/timeline")))
        .as("files of the metadata timeline after sync %d", sync)
        .isLessThanOrEqualTo(3 * 2 * MAX_COMMITS + 20);
    assertThat(count(hoodie.resolve("metadata/secondary_index_k")))
        .as("files of entries, of which a compaction leaves three versions, after sync %d", sync)
        .isLessThanOrEqualTo(3 * 12);
    assertThat(count(hoodie.resolve("xtable_index"))).isLessThanOrEqualTo(5);
  }

  private void assertAnswers() throws Exception {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      keys.add("k" + random.nextInt(SYNCS * ROWS));
    }
    Path hoodie = fixture.indexFolder("many");
    System.out.printf(
        "%d files below .hoodie, %d of entries, median cold lookup %d us%n",
        count(hoodie), count(hoodie.resolve("metadata/secondary_index_k")), coldLookup(keys));
    for (String key : keys) {
      String sql = "SELECT * FROM lake.db.many WHERE k = '" + key + "'";
      assertThat(fixture.rows(sql, true)).as("%s", sql).isEqualTo(fixture.rows(sql, false));
    }
    assertThat(fixture.decision("SELECT * FROM lake.db.many WHERE k = 'k3'"))
        .contains("[index: used, ");
    Dataset<Row> hudi =
        fixture.spark().read().format("hudi").load(fixture.dataFolder("many").toString());
    assertThat(ids(hudi))
        .as("what Hudi reads")
        .isEqualTo(ids(fixture.spark().table("lake.db.many")));
  }

  /** Median, in microseconds, of a lookup by a reader that has read nothing yet. */
  private static long coldLookup(List<String> keys) throws Exception {
    List<Long> micros = new ArrayList<>();
    for (String key : keys) {
      long start = System.nanoTime();
      try (HudiSecondaryIndexes cold =
          new HudiSecondaryIndexes(fixture.spark().sparkContext().hadoopConfiguration())) {
        cold.find(fixture.dataPath("many").location()).orElseThrow().lookup(List.of(key));
      }
      micros.add((System.nanoTime() - start) / 1000);
    }
    Collections.sort(micros);
    return micros.get(micros.size() / 2);
  }

  private static List<Long> ids(Dataset<Row> rows) {
    return rows.select("id").as(Encoders.LONG()).orderBy("id").collectAsList();
  }

  /** Files without checksums of Hadoop's local file system. */
  private static long count(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .collect(Collectors.counting());
    }
  }
}
