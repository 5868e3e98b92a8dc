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
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsReportPartitioning;
import org.apache.spark.sql.connector.read.partitioning.KeyGroupedPartitioning;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wherever a table is read, its index is used, and there is nothing to learn (C21). */
class QueryPlacesTest {
  private static final String QUERY = "SELECT * FROM lake.db.t WHERE k = 'k11'";
  private static final int ALL = 8;

  private static Lake lake;

  @BeforeAll
  static void createTables(@TempDir Path folder) throws Exception {
    lake = new Lake(folder);
    lake.createTable("lake.db.t");
    lake.sync("lake.db.t", "k");
  }

  @AfterAll
  static void stop() {
    lake.close();
  }

  @Test
  @DisplayName("C21: DataFrames by name and by path")
  void dataFramesByNameAndByPath() {
    String path = lake.folder().resolve("lake/db/t").toString();
    assertPruned(lake.spark().table("lake.db.t").where("k = 'k11'"));
    assertPruned(lake.spark().read().format("iceberg").load("lake.db.t").where("k = 'k11'"));
    assertPruned(lake.spark().read().format("iceberg").load(path).where("k = 'k11'"));
  }

  @Test
  @DisplayName("C21: views, CTEs and subqueries in FROM")
  void viewsAndCtes() {
    lake.sql("CREATE OR REPLACE TEMP VIEW v AS SELECT id, k FROM lake.db.t WHERE n >= 0");
    assertPruned(lake.sql("SELECT * FROM v WHERE k = 'k11'"));
    assertPruned(lake.sql("WITH c AS (SELECT * FROM lake.db.t) SELECT * FROM c WHERE k = 'k11'"));
    assertPruned(lake.sql("SELECT * FROM (SELECT k AS x FROM lake.db.t) WHERE x = 'k11'"));
  }

  @Test
  @DisplayName("C21: views of a catalog")
  void viewsOfACatalog() throws Exception {
    lake.sql("CREATE NAMESPACE views.db");
    lake.createTable("views.db.t");
    lake.sync("views.db.t", "k");
    lake.sql(
        "CREATE VIEW views.db.v AS SELECT id AS number, k AS name FROM views.db.t WHERE n > 3");
    lake.sql("CREATE VIEW views.db.vv AS SELECT name, count(*) AS c FROM views.db.v GROUP BY name");

    assertPruned(lake.sql("SELECT * FROM views.db.v WHERE name = 'k11'"));
    assertPruned(lake.sql("SELECT * FROM views.db.vv WHERE name = 'k11'"));
  }

  @Test
  @DisplayName("C21: parameters and variables of a session")
  void parametersAndVariables() {
    String sql = "SELECT * FROM lake.db.t WHERE k = ";
    assertPruned(lake.spark().sql(sql + ":key", Map.of("key", (Object) "k11")));
    assertPruned(lake.spark().sql(sql + "?", new Object[] {"k11"}));
    lake.sql("SET test.wanted=k11");
    assertPruned(lake.sql(sql + "'${test.wanted}'"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT k, count(*) FROM lake.db.t GROUP BY k HAVING k = 'k11' | 1",
        "SELECT k, count(*) FROM lake.db.t GROUP BY k HAVING count(*) > 1 AND k IN ('dup','k9') | 2",
        "SELECT min(id), max(n), count(k), count(*) FROM lake.db.t WHERE k = 'dup' | 2",
        "SELECT DISTINCT p FROM lake.db.t WHERE k IN ('k11', 'k22') | 2",
        "SELECT k, p, sum(n) FROM lake.db.t WHERE k = 'dup' GROUP BY CUBE(k, p) | 2",
        "SELECT id, sum(id) OVER (ORDER BY id) FROM lake.db.t WHERE k = 'dup' | 2",
        "SELECT * FROM (SELECT *, rank() OVER (PARTITION BY k ORDER BY id) AS r FROM lake.db.t)"
            + " WHERE k = 'dup' AND r = 1 | 2",
        "SELECT * FROM lake.db.t WHERE k = 'dup' ORDER BY id DESC LIMIT 1 | 2",
        "SELECT * FROM lake.db.t WHERE k = 'k11' LIMIT 3 OFFSET 0 | 1",
        "SELECT x.k AS y FROM lake.db.t AS x WHERE x.k = 'k11' | 1",
        "SELECT id, c FROM lake.db.t LATERAL VIEW explode(array(1, 2)) AS c WHERE k = 'k11' | 1",
        "SELECT _file, _pos, _spec_id, _partition, _deleted FROM lake.db.t WHERE k = 'k11' | 1",
        "SELECT id FROM lake.db.t WHERE k IN ('k11', 'k22') AND _pos = 1 | 2",
        "SELECT id FROM lake.db.t WHERE k IN ('k11', 'k22') AND _file LIKE '%.parquet' | 2",
      })
  @DisplayName("C21: the filter is used where Spark pushes it through to the scan")
  void pushedThrough(String sql, int files) {
    assertThat(selectedFiles(lake.sql(sql))).as(sql).containsExactly(files);
    assertSameRows(sql);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "SELECT * FROM (SELECT *, row_number() OVER (ORDER BY id) AS r FROM lake.db.t)"
            + " WHERE k = 'dup'",
        "SELECT * FROM (SELECT * FROM lake.db.t ORDER BY id LIMIT 9) WHERE k IN ('k3', 'k11')",
        "SELECT k, count(*) FROM lake.db.t GROUP BY k HAVING max(k) = 'dup'",
        "SELECT a.id, b.id FROM lake.db.t a LEFT JOIN lake.db.t b ON a.id = b.id AND b.k = 'k11'",
        "SELECT a.id, b.id FROM lake.db.t a LEFT JOIN lake.db.t b ON a.id = b.id AND a.k = 'k11'",
        "SELECT a.id, b.k FROM lake.db.t a LEFT JOIN lake.db.t b ON a.id = b.n"
            + " WHERE b.k = 'k11' OR b.k IS NULL",
        "SELECT a.id, b.id FROM lake.db.t a FULL JOIN lake.db.t b ON a.id = b.id AND b.k = 'k11'",
        "SELECT * FROM lake.db.t WHERE id NOT IN (SELECT id FROM lake.db.t WHERE k = 'dup')",
        "SELECT * FROM lake.db.t o WHERE NOT EXISTS"
            + " (SELECT 1 FROM lake.db.t i WHERE i.id = o.id AND i.k IN ('k11', 'k22'))",
        "SELECT k FROM lake.db.t EXCEPT SELECT k FROM lake.db.t WHERE k = 'dup'",
        "SELECT k FROM lake.db.t INTERSECT SELECT k FROM lake.db.t WHERE k = 'dup'",
        "SELECT *, k = 'k11' AS hit, (SELECT max(id) FROM lake.db.t WHERE k = 'dup') FROM lake.db.t",
        "SELECT count(*) FILTER (WHERE k = 'dup'), count_if(k = 'k11') FROM lake.db.t",
        "SELECT min(id), max(k), count(*) FROM lake.db.t",
      })
  @DisplayName("C23: the same rows where it may not be pushed to the scan, or only to one of them")
  void notPushedThrough(String sql) {
    assertSameRows(sql);
  }

  @Test
  @DisplayName(
      "C23: a Dataset runs twice, with a commit and a sync in between, as without the index")
  void datasetRunsTwiceWithACommitInBetween() throws Exception {
    lake.createTable("lake.db.twice");
    lake.sync("lake.db.twice", "k");
    String sql = "SELECT id FROM lake.db.twice WHERE k = 'k11'";
    Dataset<Row> run = lake.sql(sql);
    Dataset<Row> notYetRun = lake.sql(sql);
    lake.set(PruningSettings.ENABLED_KEY, false);
    Dataset<Row> runWithout = lake.sql(sql);
    assertThat(Lake.rows(runWithout)).containsExactly("[11]");
    lake.set(PruningSettings.ENABLED_KEY, true);
    assertThat(Lake.rows(run)).containsExactly("[11]");

    lake.sql("INSERT INTO lake.db.twice VALUES (500, 500, 'k11', 0)");
    lake.sync("lake.db.twice", "k");

    assertThat(Lake.rows(run)).as("planned before").isEqualTo(Lake.rows(runWithout));
    assertThat(Lake.rows(notYetRun)).as("planned now").containsExactly("[11]", "[500]");
    assertThat(Lake.rows(lake.sql(sql))).as("a new one").containsExactly("[11]", "[500]");
  }

  @Test
  @DisplayName("C21: each side of a self join and of a union by its own filter")
  void selfJoinsAndUnions() {
    String join =
        "SELECT a.id, b.id FROM lake.db.t a JOIN lake.db.t b ON a.p = b.p"
            + " WHERE a.k = 'k11' AND b.k = 'dup'";
    assertThat(selectedFiles(lake.sql(join))).containsExactlyInAnyOrder(1, 2);
    assertSameRows(join);

    String union = QUERY + " UNION ALL SELECT * FROM lake.db.t WHERE k IN ('k22', 'k33', 'k44')";
    assertThat(selectedFiles(lake.sql(union))).containsExactlyInAnyOrder(1, 3);
    assertSameRows(union);
  }

  @Test
  @DisplayName("C21: subquery expressions use the index too")
  void subqueryExpressions() {
    int lookups = lake.indexes().lookups();
    String scalar =
        "SELECT * FROM lake.db.t WHERE id = (SELECT max(id) FROM lake.db.t WHERE k = 'k11')";
    assertSameRows(scalar);
    assertThat(lake.indexes().lookups()).as("scalar").isEqualTo(lookups + 1);

    assertSameRows(
        "SELECT * FROM lake.db.t o WHERE EXISTS"
            + " (SELECT 1 FROM lake.db.t i WHERE i.id = o.id AND i.k = 'dup')");
    assertThat(lake.indexes().lookups()).as("exists").isEqualTo(lookups + 2);

    assertSameRows("SELECT * FROM lake.db.t WHERE id IN (SELECT id FROM lake.db.t WHERE k='k5')");
    assertThat(lake.indexes().lookups()).as("in").isEqualTo(lookups + 3);
  }

  @Test
  @DisplayName("C21: cached and re-executed Datasets")
  void cachedAndReexecutedDatasets() {
    Dataset<Row> query = lake.sql(QUERY);
    List<String> rows = Lake.rows(query);
    assertThat(rows).containsExactly("[11,11,k11,2]");
    assertThat(Lake.rows(query)).isEqualTo(rows);

    query.cache();
    try {
      assertThat(Lake.rows(query)).isEqualTo(rows);
      assertThat(Lake.rows(lake.sql(QUERY))).isEqualTo(rows);
      assertThat(lake.sql(QUERY).queryExecution().executedPlan().toString())
          .as("a query of the same text reads the cache")
          .contains("InMemoryTableScan");
    } finally {
      query.unpersist(true);
    }
  }

  @Test
  @DisplayName("C21: a cached table is invalidated by a write, as without the index")
  void cachedTableIsInvalidatedByWrite() throws Exception {
    lake.createTable("lake.db.cached");
    lake.sync("lake.db.cached", "k");
    lake.sql("CACHE TABLE c AS SELECT * FROM lake.db.cached WHERE k = 'k11'");
    String sql = "SELECT id FROM lake.db.cached WHERE k = 'k11'";

    lake.sql("INSERT INTO lake.db.cached VALUES (500, 500, 'k11', 0)");

    assertThat(Lake.rows(lake.sql(sql))).containsExactly("[11]", "[500]");
    assertThat(Lake.rows(lake.sql("SELECT id FROM c"))).containsExactly("[11]", "[500]");
    lake.sql("UNCACHE TABLE c");
  }

  @Test
  @DisplayName("C21: equal scans of one query still share their exchange")
  void exchangeIsReused() {
    String aggregate =
        "(SELECT p, count(*) AS c FROM lake.db.t WHERE k IN ('k11','k22') GROUP BY p)";
    String sql =
        "SELECT a.p, a.c, b.c FROM " + aggregate + " a JOIN " + aggregate + " b ON a.c = b.c";
    lake.set("spark.sql.adaptive.enabled", false);
    try {
      assertThat(lake.sql(sql).queryExecution().executedPlan().toString())
          .contains("ReusedExchange");
      assertSameRows(sql);
    } finally {
      lake.set("spark.sql.adaptive.enabled", true);
    }
  }

  @Test
  @DisplayName("C21: CTAS and INSERT read through the index")
  void writesThatReadUseTheIndex() {
    int lookups = lake.indexes().lookups();
    lake.sql("CREATE TABLE lake.db.copy USING iceberg AS " + QUERY);
    assertThat(lake.indexes().lookups()).as("CTAS").isGreaterThan(lookups);
    lookups = lake.indexes().lookups();
    lake.sql("INSERT INTO lake.db.copy SELECT * FROM lake.db.t WHERE k = 'dup'");
    assertThat(lake.indexes().lookups()).as("INSERT").isGreaterThan(lookups);
    assertThat(Lake.rows(lake.sql("SELECT id FROM lake.db.copy")))
        .containsExactly("[11]", "[35]", "[5]");
  }

  @ParameterizedTest(name = "{0}, format version {1}")
  @CsvSource({"copy-on-write, 2", "merge-on-read, 2", "merge-on-read, 3"})
  @DisplayName("C21, C23: DELETE, UPDATE and MERGE use the index and change the same rows")
  void rowLevelCommandsUseTheIndex(String mode, int version) throws Exception {
    for (String table : new String[] {"lake.db.with_index", "lake.db.without"}) {
      lake.createTable(table);
      lake.sql(
          String.format(
              "ALTER TABLE %s SET TBLPROPERTIES ('write.delete.mode'='%2$s',"
                  + " 'write.update.mode'='%2$s', 'write.merge.mode'='%2$s',"
                  + " 'format-version'='%3$d')",
              table, mode, version));
    }
    for (String command :
        new String[] {
          "DELETE FROM %s WHERE k = 'k11'",
          "DELETE FROM %s WHERE k IN ('k12', 'k21')", // k12 is in the file of k11
          "DELETE FROM %s WHERE k = 'nowhere'",
          "DELETE FROM %s t WHERE k = 'k13' AND id IN (SELECT id FROM lake.db.t WHERE n > 3)",
          "UPDATE %s SET n = -1 WHERE k IN ('k22', 'dup')",
          "UPDATE %s SET k = 'k15' WHERE k = 'k16'",
          "MERGE INTO %s t USING (SELECT * FROM lake.db.t WHERE n IN (33, 34)) s"
              + " ON t.id = s.id AND t.k = 'k33' WHEN MATCHED THEN UPDATE SET n = -2"
              + " WHEN NOT MATCHED THEN INSERT *",
          "MERGE INTO %s t USING (SELECT * FROM lake.db.t WHERE n IN (44, 54)) s"
              + " ON t.id = s.id AND t.k IN ('k44', 'k54') WHEN MATCHED THEN DELETE"
        }) {
      lake.sync("lake.db.with_index", "k");
      int lookups = lake.indexes().lookups();

      lake.sql(String.format(command, "lake.db.with_index"));

      assertThat(lake.indexes().lookups()).as(command).isGreaterThan(lookups);
      lake.set(PruningSettings.ENABLED_KEY, false);
      lake.sql(String.format(command, "lake.db.without"));
      lake.set(PruningSettings.ENABLED_KEY, true);
      assertThat(Lake.rows(lake.sql("SELECT * FROM lake.db.with_index")))
          .as(command)
          .isEqualTo(Lake.rows(lake.sql("SELECT * FROM lake.db.without")));
    }
    lake.sql("DROP TABLE lake.db.with_index");
    lake.sql("DROP TABLE lake.db.without");
  }

  @Test
  @DisplayName(
      "C24c, C27: EXPLAIN of a merge-on-read command shows the decision; branches are left")
  void mergeOnReadCommandsTell() throws Exception {
    lake.createTable("lake.db.mor");
    lake.sql("ALTER TABLE lake.db.mor SET TBLPROPERTIES ('write.delete.mode'='merge-on-read')");
    lake.sql("ALTER TABLE lake.db.mor CREATE BRANCH b");
    lake.sync("lake.db.mor", "k");

    assertThat(lake.sql("EXPLAIN DELETE FROM lake.db.mor WHERE k = 'k11'").head().getString(0))
        .contains("[index: used, 1 of 8 files");
    assertThat(
            lake.sql("EXPLAIN DELETE FROM lake.db.mor.branch_b WHERE k = 'k11'")
                .head()
                .getString(0))
        .contains("[index: not used, TIME_TRAVEL");
    lake.sql("DELETE FROM lake.db.mor.branch_b WHERE k = 'k11'");
    assertThat(lake.sql("SELECT * FROM lake.db.mor WHERE k = 'k11'").count()).isEqualTo(1);
    assertThat(lake.sql("SELECT * FROM lake.db.mor.branch_b").count()).isEqualTo(79);
  }

  @Test
  @DisplayName("C21: partitioned tables, with the filter evaluated by Iceberg alone")
  void partitionedByTheIndexedColumn() throws Exception {
    lake.sql(
        "CREATE TABLE lake.db.parts (id BIGINT, k STRING) USING iceberg PARTITIONED BY (k)"
            + " TBLPROPERTIES ('write.spark.fanout.enabled'='true')");
    lake.sql("INSERT INTO lake.db.parts SELECT id, concat('k', id % 5) FROM range(20)");
    lake.sync("lake.db.parts", "k");

    String sql = "SELECT * FROM lake.db.parts WHERE k IN ('k1', 'k2', 'none')";

    assertThat(Lake.decision(lake.sql(sql))).isInstanceOf(Used.class);
    assertSameRows(sql);
    assertSameRows("SELECT count(*) FROM lake.db.parts WHERE k = 'k1'");
  }

  @Test
  @DisplayName("C21: storage-partitioned joins keep their partitioning")
  void storagePartitionedJoin() throws Exception {
    lake.set("spark.sql.sources.v2.bucketing.enabled", true);
    lake.set("spark.sql.iceberg.planning.preserve-data-grouping", true);
    lake.set("spark.sql.autoBroadcastJoinThreshold", -1);
    try {
      lake.createTable("lake.db.left", "PARTITIONED BY (p)");
      lake.createTable("lake.db.right", "PARTITIONED BY (p)");
      lake.sync("lake.db.left", "k");
      String sql =
          "SELECT l.id, r.id FROM lake.db.left l JOIN lake.db.right r ON l.p = r.p"
              + " WHERE l.k IN ('k11', 'k12')";
      List<Scan> scans = Lake.scans(lake.sql(sql));
      assertThat(Lake.decision(scans.get(0))).isInstanceOf(Used.class);
      assertThat(((SupportsReportPartitioning) scans.get(0)).outputPartitioning())
          .isInstanceOf(KeyGroupedPartitioning.class);
      assertSameRows(sql);
      assertSameRows(sql.replace("'k11', 'k12'", "'nowhere'"));
    } finally {
      lake.spark().conf().unset("spark.sql.sources.v2.bucketing.enabled");
      lake.spark().conf().unset("spark.sql.iceberg.planning.preserve-data-grouping");
      lake.spark().conf().unset("spark.sql.autoBroadcastJoinThreshold");
    }
  }

  @Test
  @DisplayName("C21: dynamic partition pruning still narrows a pruned scan")
  void dynamicPartitionPruningStillWorks() throws Exception {
    lake.createTable("lake.db.facts", "PARTITIONED BY (p)");
    lake.sync("lake.db.facts", "k");
    String sql =
        "SELECT f.id FROM lake.db.facts f JOIN lake.db.t d ON f.p = d.p"
            + " WHERE f.k IN ('k11', 'k12', 'k13') AND d.k = 'k11'";
    assertThat(lake.sql(sql).queryExecution().executedPlan().toString()).contains("dynamicpruning");
    assertSameRows(sql);
  }

  @Test
  @DisplayName("C24c: streams read every file")
  void streamsReadEveryFile() throws Exception {
    Dataset<Row> stream =
        lake.spark().readStream().format("iceberg").load("lake.db.t").where("k = 'dup'");
    StreamingQuery query =
        stream
            .writeStream()
            .format("memory")
            .queryName("streamed")
            .trigger(Trigger.AvailableNow())
            .start();
    query.awaitTermination();
    assertThat(Lake.rows(lake.sql("SELECT id FROM streamed"))).containsExactly("[35]", "[5]");
  }

  @Test
  @DisplayName("C10: compaction reads all its files, and the index is stale after it")
  void compactionReadsAllItsFiles() throws Exception {
    lake.createTable("lake.db.many");
    lake.sync("lake.db.many", "k");

    lake.sql("CALL lake.system.rewrite_data_files(table => 'db.many', where => \"k <> 'k11'\")");

    assertThat(lake.sql("SELECT * FROM lake.db.many").count()).isEqualTo(80);
    lake.assertNotPruned("SELECT * FROM lake.db.many WHERE k = 'k11'", NotUsedReason.STALE, 1);
  }

  @Test
  @DisplayName("C20: new sessions of the application use the index, each with its own settings")
  void newSessionsUseTheIndex() {
    var other = lake.spark().newSession();
    other.conf().set(PruningSettings.MIN_CANDIDATE_FILES_KEY, "1");
    assertThat(Lake.decision(other.sql(QUERY))).isInstanceOf(Used.class);
    other.conf().set(PruningSettings.MAX_KEYS_KEY, "0");
    assertThat(Lake.decision(other.sql(QUERY))).isNotInstanceOf(Used.class);
    assertThat(Lake.decision(lake.sql(QUERY))).isInstanceOf(Used.class);
  }

  private static void assertPruned(Dataset<Row> query) {
    assertThat(selectedFiles(query)).containsExactly(1);
    assertThat(query.count()).isEqualTo(1);
  }

  private static List<Integer> selectedFiles(Dataset<Row> query) {
    return Lake.scans(query).stream()
        .map(QueryPlacesTest::selectedFiles)
        .collect(Collectors.toList());
  }

  private static int selectedFiles(Scan scan) {
    Used used = (Used) Lake.decision(scan);
    assertThat(used.candidates().files()).isEqualTo(ALL);
    return used.selected().files();
  }

  private static void assertSameRows(String sql) {
    assertThat(Lake.rows(lake.sql(sql))).as(sql).isEqualTo(lake.rowsWithoutIndex(sql));
  }
}
