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
package org.apache.xtable.spark.extensions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Table;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Within selected files only the row groups that hold keys are read, and answers stay right. */
class RowGroupsTest {
  private static final String TABLE = "lake.db.g";
  private static final long SEED = Long.getLong("xtable.test.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("xtable.test.rounds", 2);

  private Lake lake;

  @BeforeEach
  void start(@TempDir Path folder) {
    StoredIndexes indexes = new StoredIndexes();
    lake = Lake.stored(folder, indexes::open);
  }

  @AfterEach
  void stop() {
    lake.close();
  }

  /** 2 files of 3000 rows in row groups of 100; each of 500 keys is in 6 row groups of a file. */
  private void createTable(String clauses, String properties) {
    lake.sql(
        "CREATE TABLE "
            + TABLE
            + " (id BIGINT, n INT, k STRING, p INT, pad STRING) USING iceberg "
            + clauses
            + " TBLPROPERTIES ('format-version'='2', 'write.distribution-mode'='none',"
            + " 'write.metadata.metrics.default'='none', 'write.parquet.row-group-size-bytes'='1',"
            + " 'write.spark.fanout.enabled'='true', 'write.parquet.page-size-bytes'='512'"
            + properties
            + ")");
  }

  private void append(long from, long to, int files) throws Exception {
    lake.spark()
        .range(from, to, 1, files)
        .selectExpr(
            "id",
            "CAST(id % 700 AS INT) AS n",
            "IF(id % 97 = 1, NULL, concat('k', id % 500)) AS k",
            "CAST(id % 2 AS INT) AS p",
            "sha2(CAST(id AS STRING), 256) AS pad")
        .writeTo(TABLE)
        .append();
  }

  @Test
  @DisplayName("C23, C27: only row groups with a key are read; decision and EXPLAIN count them")
  void onlyRowGroupsWithKeysAreRead() throws Exception {
    createTable("", "");
    append(0, 6000, 2);
    lake.store(TABLE, "k");
    String sql = "SELECT id, k, _pos FROM lake.db.g WHERE k = 'k7'";
    List<String> expected = lake.rowsWithoutIndex(sql);
    assertThat(expected).hasSize(12);

    Dataset<Row> query = lake.sql(sql);
    Used used = (Used) Lake.decision(query);

    assertThat(used.candidates().rowGroups()).as("row groups of the table").isEqualTo(60);
    assertThat(used.selected().rowGroups()).as("row groups with the key").isEqualTo(12);
    assertThat(used.selected().files()).isEqualTo(2);
    assertThat(used.selected().bytes()).isLessThan(used.candidates().bytes() / 4);
    assertThat(Lake.rows(query)).isEqualTo(expected);
    assertThat(query.queryExecution().explainString(ExplainMode.fromString("simple")))
        .contains("used, 2 of 2 files, 12 of 60 row groups, ");
    assertThat(rowsRead(query)).as("rows that the scan hands to the filter").isEqualTo(1200);
  }

  private static long rowsRead(Dataset<Row> query) {
    query.collect();
    return Lake.scanMetric(query, "numOutputRows");
  }

  @Test
  @DisplayName("C23: split offsets that are missing or not those of the file: all of it is read")
  void splitOffsetsThatDoNotFit() throws Exception {
    createTable("", "");
    append(0, 3000, 1);
    String sql = "SELECT id FROM lake.db.g WHERE k = 'k7'";
    List<String> expected = lake.rowsWithoutIndex(sql);
    Table table = lake.table(TABLE);
    DataFile file = table.newScan().planFiles().iterator().next().file();
    List<Long> offsets = file.splitOffsets();
    List<List<Long>> wrong = new ArrayList<>();
    wrong.add(null);
    wrong.add(offsets.subList(0, 5));
    wrong.add(offsets.stream().map(offset -> offset + 1).collect(Collectors.toList()));
    for (List<Long> given : wrong) {
      table
          .newRewrite()
          .deleteFile(table.newScan().planFiles().iterator().next().file())
          .addFile(DataFiles.builder(table.spec()).copy(file).withSplitOffsets(given).build())
          .commit();
      lake.sql("REFRESH TABLE " + TABLE);
      lake.store(TABLE, "k");

      Dataset<Row> query = lake.sql(sql);

      Used used = (Used) Lake.decision(query);
      assertThat(used.selected().bytes()).as("" + given).isEqualTo(used.candidates().bytes());
      assertThat(Lake.rows(query)).as("" + given).isEqualTo(expected);
    }
  }

  @Test
  @DisplayName("C23: random tables of many row groups give the same rows, however they are split")
  void randomTablesGiveTheSameRows() throws Exception {
    Random random = new Random(SEED);
    System.out.println("RowGroupsTest: replay with -Dxtable.test.seed=" + SEED);
    long skipped = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String column = random.nextBoolean() ? "k" : "n";
      boolean partitioned = random.nextBoolean();
      createTable(
          partitioned ? "PARTITIONED BY (p)" : "",
          String.format(
              ", 'write.delete.mode'='merge-on-read', 'write.update.mode'='merge-on-read',"
                  + " 'write.delete.granularity'='%s', 'read.parquet.vectorization.enabled'='%s',"
                  + " 'read.split.target-size'='%d'",
              random.nextBoolean() ? "file" : "partition",
              random.nextBoolean(),
              random.nextBoolean() ? 20_000 : 1 << 27));
      append(0, 2000 + random.nextInt(3000), 1 + random.nextInt(3));
      lake.sql("DELETE FROM lake.db.g WHERE id % 13 = " + random.nextInt(13));
      if (random.nextBoolean()) {
        append(5000, 5300, 1);
        lake.sql("UPDATE lake.db.g SET k = 'k3' WHERE id % 401 = " + random.nextInt(401));
      }
      lake.set("spark.sql.iceberg.planning.preserve-data-grouping", random.nextBoolean());
      lake.set("spark.sql.iceberg.locality.enabled", random.nextBoolean());
      lake.store(TABLE, column);
      for (int i = 0; i < 8; i++) {
        String keys =
            IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(
                    ignored ->
                        column.equals("k")
                            ? "'k" + random.nextInt(600) + "'"
                            : "" + random.nextInt(800))
                .collect(Collectors.joining(", "));
        String sql =
            String.format(
                "SELECT id, k, n, _pos, _file, _deleted FROM lake.db.g WHERE %s IN (%s)%s",
                column, keys, random.nextInt(3) == 0 ? " AND p = 1" : "");
        Dataset<Row> query = lake.sql(sql);
        assertThat(Lake.rows(query))
            .as("seed %d, round %d, %s", SEED, round, sql)
            .isEqualTo(lake.rowsWithoutIndex(sql));
        Used used = (Used) Lake.decision(query);
        skipped += used.candidates().rowGroups() - used.selected().rowGroups();
      }
      lake.sql("DROP TABLE lake.db.g PURGE");
    }
    assertThat(skipped).as("row groups that were not read, seed %d", SEED).isPositive();
  }
}
