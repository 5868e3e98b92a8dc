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

  @Test
  @DisplayName("C21: DELETE, UPDATE and MERGE change the same rows as without the index")
  void rowLevelCommandsChangeTheSameRows() throws Exception {
    for (String mode : new String[] {"copy-on-write", "merge-on-read"}) {
      lake.createTable("lake.db.rows");
      lake.sql(
          String.format(
              "ALTER TABLE lake.db.rows SET TBLPROPERTIES ('write.delete.mode'='%1$s',"
                  + " 'write.update.mode'='%1$s', 'write.merge.mode'='%1$s')",
              mode));
      lake.sync("lake.db.rows", "k");

      int lookups = lake.indexes().lookups();
      lake.sql("DELETE FROM lake.db.rows WHERE k = 'k11'");
      if (mode.equals("copy-on-write")) {
        assertThat(lake.indexes().lookups())
            .as("finding the files to rewrite")
            .isGreaterThan(lookups);
      }
      lake.sync("lake.db.rows", "k");
      lake.sql("UPDATE lake.db.rows SET n = -1 WHERE k IN ('k22', 'dup')");
      lake.sync("lake.db.rows", "k");
      lake.sql(
          "MERGE INTO lake.db.rows t USING (SELECT * FROM lake.db.t WHERE k = 'k33') s"
              + " ON t.id = s.id AND t.k = 'k33' WHEN MATCHED THEN UPDATE SET n = -2");

      assertThat(Lake.rows(lake.sql("SELECT id, n FROM lake.db.rows WHERE n < 0 OR id = 11")))
          .as(mode)
          .containsExactly("[22,-1]", "[33,-2]", "[35,-1]", "[5,-1]");
      assertThat(lake.sql("SELECT * FROM lake.db.rows").count()).as(mode).isEqualTo(79);
      lake.sql("DROP TABLE lake.db.rows");
    }
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
    assertSameRows(
        "SELECT f.id FROM lake.db.facts f JOIN lake.db.t d ON f.p = d.p"
            + " WHERE f.k IN ('k11', 'k12', 'k13') AND d.k = 'k11'");
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
