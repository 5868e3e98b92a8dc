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
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.TableSyncReport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random tables with random histories, synced at random times by the real sync, answer random
 * queries the same with the index as without it.
 *
 * <p>{@code xtable.test.histories} and {@code xtable.test.steps} make a run longer; {@link
 * RandomRuns} says how to replay one and how to run for long.
 */
class RandomHistoryTest {
  private static final int HISTORIES = Integer.getInteger("xtable.test.histories", 3);
  private static final int STEPS = Integer.getInteger("xtable.test.steps", 14);
  private static final int QUERIES = 4;
  private static final int KEYS = 80;
  private static final String USED = "queries that used the index";

  private final List<String> log = new ArrayList<>();
  private long seed;
  private Random random;
  private RandomRuns runs;
  private String name;
  private String type;
  private String column;
  private int extraColumns;

  @Test
  @DisplayName(
      "C10, C23: whatever happened to a table, answers are the same with and without the index")
  void answersAreTheSame(@TempDir Path folder) throws Exception {
    try (SyncFixture fixture = new SyncFixture(folder)) {
      // The data is tiny, and compiling code for each query would take most of the time.
      fixture.spark().conf().set("spark.sql.codegen.wholeStage", false);
      fixture.spark().conf().set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
      RandomRuns covered =
          RandomRuns.of(RandomHistoryTest.class, (seed, runs) -> run(fixture, seed, runs));
      assertThat(covered.covered(USED)).as(USED).isPositive();
    }
  }

  private void run(SyncFixture fixture, long seedOfRun, RandomRuns all) {
    this.seed = seedOfRun;
    this.random = new Random(seed);
    this.runs = all;
    for (int history = 0; history < HISTORIES; history++) {
      create(fixture, history);
      sync(fixture);
      for (int step = 0; step < STEPS; step++) {
        change(fixture);
        if (random.nextInt(3) > 0) {
          sync(fixture);
        }
        for (int query = 0; query < QUERIES; query++) {
          String sql = query();
          assertThat(fixture.rows(sql, true))
              .describedAs("seed %d, history %s, query %s", seed, log, sql)
              .isEqualTo(fixture.rows(sql, false));
          runs.cover("queries", 1);
          runs.cover(USED, fixture.decision(sql).contains("[index: used, ") ? 1 : 0);
        }
      }
      runs.cover("tables", 1);
      fixture.sql("DROP TABLE lake.db.%s PURGE", name);
    }
  }

  private void create(SyncFixture fixture, int history) {
    log.clear();
    name = "h" + history;
    extraColumns = 0;
    type = pick("STRING", "INT", "BIGINT");
    column = pick("k", "Key Column", "k.x");
    String mode = pick("merge-on-read", "copy-on-write");
    run(
        fixture,
        "CREATE TABLE lake.db.%s (id BIGINT, `%s` %s, p INT, other STRING) USING iceberg %s"
            + " TBLPROPERTIES ('format-version'='2', 'write.delete.mode'='%5$s',"
            + " 'write.update.mode'='%5$s', 'write.distribution-mode'='none',"
            + " 'write.spark.fanout.enabled'='true', 'write.object-storage.enabled'='%6$s',"
            + " 'write.metadata.metrics.default'='none', 'write.parquet.row-group-size-bytes'='%7$s',"
            + " 'write.delete.granularity'='%8$s', 'write.merge.mode'='%5$s')",
        name,
        column,
        type,
        pick(
            "",
            "PARTITIONED BY (p)",
            "PARTITIONED BY (bucket(3, id))",
            "PARTITIONED BY (`" + column + "`)"),
        mode,
        pick("false", "false", "true"),
        pick("1", "134217728"), // row groups of 100 rows, or one
        pick("file", "partition"));
    append(fixture);
  }

  private void change(SyncFixture fixture) {
    switch (random.nextInt(12)) {
      case 0:
        delete(fixture, comparison());
        break;
      case 1:
        update(fixture, literal(), comparison());
        break;
      case 2:
        merge(fixture, literal(), random.nextInt(3));
        break;
      case 3:
        run(
            fixture,
            "CALL lake.system.rewrite_data_files(table => 'db.%s', options => map('rewrite-all', 'true'))",
            name);
        break;
      case 4:
        rollBack(fixture);
        break;
      case 5:
        run(
            fixture,
            "CALL lake.system.expire_snapshots(table => 'db.%s', older_than => TIMESTAMP '2100-01-01 00:00:00', retain_last => 1)",
            name);
        break;
      case 6:
        run(fixture, "ALTER TABLE lake.db.%s ADD COLUMN extra%d STRING", name, extraColumns++);
        break;
      case 7:
        run(
            fixture,
            "INSERT OVERWRITE lake.db.%s SELECT * FROM lake.db.%s WHERE id %% 2 = 0",
            name,
            name);
        break;
      case 8:
        run(fixture, "CALL lake.system.rewrite_manifests('db.%s')", name);
        break;
      case 9:
        if (type.equals("INT") && !isPartitionedByKey(fixture)) {
          type = "BIGINT";
          run(fixture, "ALTER TABLE lake.db.%s ALTER COLUMN `%s` TYPE BIGINT", name, column);
        }
        break;
      default:
        append(fixture);
    }
  }

  private void delete(SyncFixture fixture, String condition) {
    runWithIndex(
        fixture,
        String.format(
            "SELECT %s FROM lake.db.%s WHERE NOT coalesce(%s, false)", columns(), name, condition),
        String.format("DELETE FROM lake.db.%s WHERE %s", name, condition));
  }

  private void update(SyncFixture fixture, String value, String condition) {
    runWithIndex(
        fixture,
        String.format(
            "SELECT id, IF(%s, %s, `%s`), p, other FROM lake.db.%s",
            condition, value, column, name),
        String.format("UPDATE lake.db.%s SET `%s` = %s WHERE %s", name, column, value, condition));
  }

  /** Rows of a key get a new value of another column, or a row of it is added. */
  private void merge(SyncFixture fixture, String key, int p) {
    runWithIndex(
        fixture,
        String.format(
            "SELECT id, `%1$s`, IF(`%1$s` = %2$s, %3$d, p), other FROM lake.db.%4$s UNION ALL"
                + " SELECT 1, %2$s, %3$d, 'merged' WHERE NOT EXISTS"
                + " (SELECT 1 FROM lake.db.%4$s WHERE `%1$s` = %2$s)",
            column, key, p, name),
        String.format(
            "MERGE INTO lake.db.%1$s t USING (SELECT %2$s AS k, %3$d AS p) s"
                + " ON t.`%4$s` = s.k AND t.`%4$s` = %2$s"
                + " WHEN MATCHED THEN UPDATE SET t.p = s.p WHEN NOT MATCHED THEN INSERT"
                + " (id, `%4$s`, p, other%5$s) VALUES (1, s.k, s.p, 'merged'%6$s)",
            name, key, p, column, extras(", extra%d"), extras(", NULL")));
  }

  /**
   * A command that may use the index to find the rows that it changes.
   *
   * @param expected the rows that the table has after it
   */
  private void runWithIndex(SyncFixture fixture, String expected, String command) {
    List<String> rows = fixture.rows(expected, false);
    fixture.spark().conf().set("spark.xtable.index.pruning.enabled", true);
    try {
      run(fixture, command);
    } finally {
      fixture.spark().conf().set("spark.xtable.index.pruning.enabled", false);
    }
    assertThat(fixture.rows(String.format("SELECT %s FROM lake.db.%s", columns(), name), false))
        .describedAs("seed %d, history %s", seed, log)
        .isEqualTo(rows);
  }

  private String columns() {
    return String.format("id, `%s`, p, other", column);
  }

  private boolean isPartitionedByKey(SyncFixture fixture) {
    Table table = fixture.table(name);
    return table.spec().fields().stream()
        .anyMatch(field -> table.schema().findColumnName(field.sourceId()).equals(column));
  }

  private void append(SyncFixture fixture) {
    run(
        fixture,
        "INSERT INTO lake.db.%s (id, `%s`, p, other%s) SELECT id,"
            + " CAST(IF(id %% 13 = 0, NULL, %s) AS %s), CAST(id %% 3 AS INT), concat('o', id)%s"
            + " FROM range(0, %d, 1, %d)",
        name,
        column,
        extras(", extra%d"),
        type.equals("STRING")
            ? String.format(
                "concat(IF(id %% 5 = 0, '\\u0024\\uD83D\\uDE00\\uFF21', 'k'), abs(hash(id, %d)) %% %d)",
                random.nextInt(), KEYS)
            : String.format("abs(hash(id, %d)) %% %d", random.nextInt(), KEYS),
        type,
        extras(", 'x%d'"),
        5 + random.nextInt(random.nextInt(3) == 0 ? 600 : 60),
        1 + random.nextInt(4));
  }

  private String extras(String each) {
    return IntStream.range(0, extraColumns)
        .mapToObj(i -> String.format(each, i))
        .collect(Collectors.joining());
  }

  private void rollBack(SyncFixture fixture) {
    Table table = fixture.table(name);
    List<Snapshot> ancestors = new ArrayList<>();
    for (Snapshot at = table.currentSnapshot();
        at != null && table.snapshot(at.snapshotId()) != null; ) {
      ancestors.add(at);
      at = at.parentId() == null ? null : table.snapshot(at.parentId());
    }
    Snapshot target = ancestors.get(random.nextInt(ancestors.size()));
    run(fixture, "CALL lake.system.rollback_to_snapshot('db.%s', %dL)", name, target.snapshotId());
  }

  private void sync(SyncFixture fixture) {
    TableSyncReport report =
        fixture.sync(name, HudiTarget.ofColumn(column).withFileGroups(1 + random.nextInt(2), 3));
    log.add("sync " + report.action());
    runs.cover("syncs", 1);
    assertThat(fixture.index(name).state().liveRows())
        .describedAs("seed %d, history %s", seed, log)
        .isGreaterThanOrEqualTo(fixture.spark().table("lake.db." + name).count());
  }

  private void run(SyncFixture fixture, String statement, Object... args) {
    String sql = args.length == 0 ? statement : String.format(statement, args);
    log.add(sql);
    try {
      fixture.spark().sql(sql);
      runs.cover("operations", 1);
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + ", history " + log, e);
    }
  }

  private String query() {
    return String.format("SELECT %s FROM lake.db.%s WHERE %s", columns(), name, filter(2));
  }

  private String filter(int depth) {
    switch (depth == 0 ? 0 : random.nextInt(5)) {
      case 1:
        return "(" + filter(depth - 1) + " AND " + filter(depth - 1) + ")";
      case 2:
        return "(" + filter(depth - 1) + " OR " + filter(depth - 1) + ")";
      case 3:
        return "(" + comparison() + " AND p = " + random.nextInt(3) + ")";
      default:
        return comparison();
    }
  }

  private String comparison() {
    switch (random.nextInt(6)) {
      case 0:
        return String.format(
            "`%s` IN (%s)",
            column,
            IntStream.range(0, 1 + random.nextInt(14))
                .mapToObj(i -> literal())
                .collect(Collectors.joining(", ")));
      case 1:
        return "`" + column + "` IS NULL";
      case 2:
        return "p = " + random.nextInt(3);
      default:
        return String.format("`%s` = %s", column, literal());
    }
  }

  private String literal() {
    int key = random.nextInt(KEYS + 5);
    if (!type.equals("STRING")) {
      return Integer.toString(key);
    }
    return random.nextInt(4) == 0 ? "'\\u0024\\uD83D\\uDE00\\uFF21" + key + "'" : "'k" + key + "'";
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
