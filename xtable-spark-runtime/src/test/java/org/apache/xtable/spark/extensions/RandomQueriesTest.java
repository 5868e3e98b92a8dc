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
import org.apache.xtable.spark.RandomRuns;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The answer never changes (C23): random queries of tables with random appends, deletes and updates
 * give the same rows with and without the index. {@link RandomRuns} says how to replay a run and
 * how to run for long.
 */
class RandomQueriesTest {
  private static final String TABLE = "lake.db.t";
  private static final int ROUNDS = 3;
  private static final int QUERIES_PER_ROUND = 20;
  private static final int KEYS = 60;

  private static final String USED = "queries that used the index";
  private static final String SAVED = "files not read";

  private static final String[] COLUMNS = {"k", "n", "id"};

  private Random random;
  private String indexed;

  @Test
  @DisplayName("C23: random queries give the same rows with and without index")
  void randomQueriesGiveTheSameRows(@TempDir Path folder) throws Exception {
    try (Lake lake = new Lake(folder)) {
      // The data is tiny, and compiling code for each query would take most of the time.
      lake.set("spark.sql.codegen.wholeStage", false);
      lake.set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
      RandomRuns covered =
          RandomRuns.of(RandomQueriesTest.class, (seed, runs) -> run(lake, seed, runs));
      assertThat(covered.covered(USED)).as(USED).isPositive();
      assertThat(covered.covered(SAVED)).as(SAVED).isPositive();
    }
  }

  private void run(Lake lake, long seed, RandomRuns runs) throws Exception {
    this.random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      lake.sql("DROP TABLE IF EXISTS " + TABLE);
      this.indexed = pick(COLUMNS);
      createTable(lake, runs);
      lake.sync(TABLE, indexed);
      for (int i = 0; i < QUERIES_PER_ROUND; i++) {
        String sql = query();
        Dataset<Row> query = lake.sql(sql);
        assertThat(Lake.rows(query))
            .as("seed %d, index of %s, %s", seed, indexed, sql)
            .isEqualTo(lake.rowsWithoutIndex(sql));
        runs.cover("queries", 1);
        count(query, runs);
      }
    }
  }

  private static void count(Dataset<Row> query, RandomRuns runs) {
    boolean used = false;
    for (PruningDecision decision : decisions(query)) {
      if (decision instanceof Used) {
        used = true;
        runs.cover(
            SAVED, ((Used) decision).candidates().files() - ((Used) decision).selected().files());
      }
    }
    runs.cover(USED, used ? 1 : 0);
  }

  private String query() {
    String filtered = "(SELECT * FROM " + TABLE + " WHERE " + filter(2) + ")";
    switch (random.nextInt(16)) {
      case 0:
        return String.format(
            "SELECT a.id, b.k FROM %s a %s JOIN (SELECT * FROM %s WHERE %s) b ON a.id = b.%s",
            filtered, pick("INNER", "LEFT", "FULL"), TABLE, filter(2), pick("id", "n"));
      case 1:
        return String.format(
            "SELECT * FROM %s a LEFT %s JOIN %s b ON a.k = b.k",
            TABLE, pick("SEMI", "ANTI"), filtered);
      case 2:
        return String.format(
            "SELECT * FROM %s WHERE id %s (SELECT id FROM %s WHERE id IS NOT NULL) OR %s",
            TABLE, pick("IN", "NOT IN"), filtered, comparison());
      case 3:
        return String.format(
            "SELECT k, n, id, count(*) FROM %s GROUP BY k, n, id HAVING %s AND count(*) > %d",
            TABLE, filter(1).replace("p =", "id ="), random.nextInt(2));
      case 4:
        return String.format(
            "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY id, n, p) AS r"
                + " FROM %s) WHERE %s",
            TABLE, filter(2));
      case 5:
        return String.format(
            "SELECT * FROM %s UNION %s SELECT * FROM %s WHERE %s",
            filtered, pick("ALL", "DISTINCT"), TABLE, filter(2));
      case 6:
        return String.format(
            "SELECT * FROM %s ORDER BY id, n, k, p LIMIT %d", filtered, random.nextInt(5));
      case 7:
        return String.format("SELECT count(*), min(k), max(n), sum(id) FROM %s", filtered);
      case 8:
        return String.format(
            "SELECT *, (SELECT max(id) FROM %s) AS m FROM %s WHERE %s", filtered, TABLE, filter(1));
      default:
        return "SELECT * FROM " + TABLE + " WHERE " + filter(3);
    }
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Of scans that have a filter at all. */
  private static List<PruningDecision> decisions(Dataset<Row> query) {
    return Lake.scans(query).stream()
        .filter(scan -> ScanProbe.pruned(scan).isPresent())
        .map(Lake::decision)
        .collect(Collectors.toList());
  }

  private void createTable(Lake lake, RandomRuns runs) throws Exception {
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
    runs.cover("tables", 1);
    for (int i = 0; i < changes; i++) {
      append(lake);
      runs.cover("operations", 1);
      switch (random.nextInt(3)) {
        case 0:
          lake.sql("DELETE FROM " + TABLE + " WHERE " + comparison());
          runs.cover("operations", 1);
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
    String column = random.nextBoolean() ? indexed : pick(COLUMNS);
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
