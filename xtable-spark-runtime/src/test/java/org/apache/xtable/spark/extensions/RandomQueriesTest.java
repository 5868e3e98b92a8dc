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
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.spark.source.ScanProbe;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The answer never changes (C23): random filters over tables with random appends, deletes and
 * updates, with and without the index. Replay a failure with {@code -Dxtable.test.seed=<seed>}.
 */
class RandomQueriesTest {
  private static final String TABLE = "lake.db.t";
  private static final int ROUNDS = 3;
  private static final int QUERIES_PER_ROUND = 20;
  private static final int KEYS = 60;

  private static final String[] COLUMNS = {"k", "n", "id"};

  private final long seed = Long.getLong("xtable.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  @DisplayName("C23: random queries give the same rows with and without index")
  void randomQueriesGiveTheSameRows(@TempDir Path folder) throws Exception {
    System.out.println("RandomQueriesTest: replay with -Dxtable.test.seed=" + seed);
    int used = 0;
    int saved = 0;
    try (Lake lake = new Lake(folder)) {
      for (int round = 0; round < ROUNDS; round++) {
        createTable(lake);
        String indexed = COLUMNS[random.nextInt(COLUMNS.length)];
        lake.sync(TABLE, indexed);
        for (int i = 0; i < QUERIES_PER_ROUND; i++) {
          String sql = "SELECT * FROM " + TABLE + " WHERE " + filter(3);
          Dataset<Row> query = lake.sql(sql);
          assertThat(Lake.rows(query))
              .as("seed %d, index of %s, %s", seed, indexed, sql)
              .isEqualTo(lake.rowsWithoutIndex(sql));
          for (PruningDecision decision : decisions(query)) {
            if (decision instanceof Used) {
              used++;
              saved +=
                  ((Used) decision).candidates().files() - ((Used) decision).selected().files();
            }
          }
        }
        lake.sql("DROP TABLE " + TABLE);
      }
    }
    System.out.println(
        "RandomQueriesTest: index used " + used + " times, saved " + saved + " files");
    assertThat(used).as("queries that used the index, seed %d", seed).isPositive();
    assertThat(saved).as("files not read, seed %d", seed).isPositive();
  }

  /** Of scans that have a filter at all. */
  private static List<PruningDecision> decisions(Dataset<Row> query) {
    return Lake.scans(query).stream()
        .filter(scan -> ScanProbe.pruned(scan).isPresent())
        .map(Lake::decision)
        .collect(Collectors.toList());
  }

  private void createTable(Lake lake) throws Exception {
    String mode = random.nextBoolean() ? "merge-on-read" : "copy-on-write";
    lake.sql(
        String.format(
            "CREATE TABLE %s (id BIGINT, n INT, k STRING, p INT) USING iceberg %s TBLPROPERTIES ("
                + "'format-version'='2', 'write.delete.mode'='%3$s', 'write.update.mode'='%3$s',"
                + " 'write.metadata.metrics.default'='%4$s', 'write.distribution-mode'='none',"
                + " 'write.spark.fanout.enabled'='true')",
            TABLE,
            random.nextBoolean() ? "PARTITIONED BY (p)" : "",
            mode,
            random.nextBoolean() ? "none" : "truncate(16)"));
    int changes = 2 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      append(lake);
      switch (random.nextInt(3)) {
        case 0:
          lake.sql("DELETE FROM " + TABLE + " WHERE " + comparison());
          break;
        case 1:
          lake.sql("UPDATE " + TABLE + " SET k = 'k" + key() + "' WHERE " + comparison());
          break;
        default:
          break;
      }
    }
  }

  private void append(Lake lake) throws Exception {
    lake.spark()
        .range(0, 5 + random.nextInt(30), 1, 1 + random.nextInt(4))
        .selectExpr(
            "CAST(abs(hash(id, " + random.nextInt() + ")) % " + KEYS + " AS BIGINT) AS id",
            "IF(id % 11 = 0, NULL, abs(hash(id, " + random.nextInt() + ")) % " + KEYS + ") AS n",
            "IF(id % 7 = 0, NULL, concat('k', abs(hash(id, "
                + random.nextInt()
                + ")) % "
                + KEYS
                + ")) AS k",
            "CAST(id % 3 AS INT) AS p")
        .writeTo(TABLE)
        .append();
  }

  private String filter(int depth) {
    int choice = depth == 0 ? 0 : random.nextInt(6);
    switch (choice) {
      case 1:
      case 2:
        return "(" + filter(depth - 1) + " AND " + filter(depth - 1) + ")";
      case 3:
        return "(" + filter(depth - 1) + " OR " + filter(depth - 1) + ")";
      case 4:
        return "NOT (" + filter(depth - 1) + ")";
      default:
        return comparison();
    }
  }

  private String comparison() {
    String column = COLUMNS[random.nextInt(COLUMNS.length)];
    switch (random.nextInt(10)) {
      case 0:
        return column + " IS NULL";
      case 1:
        return column + " > " + literal(column);
      case 2:
        return column + " <> " + literal(column);
      case 3:
        return column + " <=> " + literal(column);
      case 4:
        return literal(column) + " = " + column;
      case 5:
        return "p = " + random.nextInt(3);
      case 6:
        return column + (random.nextInt(4) == 0 ? " NOT IN (" : " IN (") + literals(column) + ")";
      default:
        return column + " = " + literal(column);
    }
  }

  private String literals(String column) {
    return IntStream.range(0, 1 + random.nextInt(15))
        .mapToObj(i -> random.nextInt(20) == 0 ? "NULL" : literal(column))
        .collect(Collectors.joining(", "));
  }

  private String literal(String column) {
    if (column.equals("k")) {
      return "'k" + key() + "'";
    }
    switch (random.nextInt(8)) {
      case 0:
        return key() + "L";
      case 1:
        return key() + ".0";
      case 2:
        return "'" + key() + "'";
      case 3:
        return "3000000000";
      default:
        return Integer.toString(key());
    }
  }

  /** Some are not in the table. */
  private int key() {
    return random.nextInt(KEYS + 10);
  }
}
