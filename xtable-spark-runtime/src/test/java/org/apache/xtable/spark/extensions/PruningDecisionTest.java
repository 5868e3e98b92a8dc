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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.spark.source.PlannedScan;
import org.apache.iceberg.spark.source.ScanProbe;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.spark.extensions.PruningDecision.NotUsed;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When an index is used, when not, and how that is told (C24 to C28). */
class PruningDecisionTest {
  private static final String TABLE = "lake.db.t";
  private static final String QUERY = "SELECT * FROM lake.db.t WHERE k = 'k11'";
  private static final int ALL = 8;

  private static Lake lake;

  @BeforeAll
  static void start(@TempDir Path folder) {
    lake = new Lake(folder);
  }

  @AfterAll
  static void stop() {
    lake.close();
  }

  @BeforeEach
  void createTable() throws Exception {
    lake.createTable(TABLE);
    lake.sync(TABLE, "k");
  }

  @AfterEach
  void dropTable() {
    lake.indexes().drop();
    lake.indexes().failFind(null);
    lake.indexes().failLookup(null);
    lake.indexes().duringLookup(() -> {});
    lake.set(PruningSettings.ENABLED_KEY, true);
    lake.set(PruningSettings.MIN_CANDIDATE_FILES_KEY, 1);
    lake.set(PruningSettings.MIN_CANDIDATE_BYTES_KEY, 1L << 30);
    lake.set(PruningSettings.MAX_KEYS_KEY, 10_000);
    lake.sql("DROP TABLE IF EXISTS " + TABLE);
  }

  @Test
  @DisplayName("C24a: a stale index is not used, and both snapshots and the sync job are named")
  void staleIndexIsNotUsedAndNamesBothSnapshots() throws Exception {
    long synced = table().currentSnapshot().snapshotId();
    lake.append(TABLE, 80, 90, 1);
    long current = table().currentSnapshot().snapshotId();

    NotUsed decision = lake.assertNotPruned(QUERY, NotUsedReason.STALE, ALL + 1);

    assertThat(decision.reason().consequence()).isEqualTo(NotUsedReason.Consequence.WARN);
    assertThat(decision.summary())
        .contains("" + synced, "" + current, "org.apache.xtable.spark.XTableSparkSync");
    lake.sync(TABLE, "k");
    lake.assertPruned(QUERY, 1, ALL + 1);
  }

  @Test
  @DisplayName("C24a: a rolled back table is stale too, whatever the index knows")
  void rolledBackTableIsStale() throws Exception {
    long first = table().currentSnapshot().snapshotId();
    lake.append(TABLE, 80, 90, 1);
    lake.sync(TABLE, "k");

    lake.sql("CALL lake.system.rollback_to_snapshot('db.t', " + first + ")");

    lake.assertNotPruned(QUERY, NotUsedReason.STALE, ALL);
  }

  @Test
  @DisplayName("C24a: an index of a table that was there before is not used and fails nothing")
  void indexOfAnotherTableIsNotUsed() throws Exception {
    lake.sql("DROP TABLE " + TABLE);
    lake.sql("CREATE TABLE lake.db.t (k STRING, other INT) USING iceberg");
    lake.sql("INSERT INTO lake.db.t VALUES ('k11', 1)");

    lake.assertNotPruned(QUERY, NotUsedReason.OTHER_TABLE, 1);
  }

  @Test
  @DisplayName("C24b: an index that changes during the lookup is not used")
  void indexThatChangesDuringLookupIsNotUsed() {
    lake.indexes().duringLookup(lake.indexes()::drop);

    Dataset<Row> query = lake.sql(QUERY);

    assertThat(((NotUsed) Lake.decision(query)).reason()).isEqualTo(NotUsedReason.INDEX_CHANGED);
    assertThat(Lake.files(query)).hasSize(ALL);
  }

  @Test
  @DisplayName("C24c: time travel is left alone, even to the synced snapshot")
  void timeTravelIsLeftAlone() throws Exception {
    long snapshot = table().currentSnapshot().snapshotId();
    lake.sql("ALTER TABLE lake.db.t CREATE BRANCH b");
    lake.sql("ALTER TABLE lake.db.t CREATE TAG g");
    for (String source :
        new String[] {
          "lake.db.t VERSION AS OF " + snapshot,
          "lake.db.t VERSION AS OF 'b'",
          "lake.db.t VERSION AS OF 'g'",
          "lake.db.t TIMESTAMP AS OF now()",
          "lake.db.t.branch_b",
          "lake.db.t.tag_g",
          "lake.db.t.snapshot_id_" + snapshot
        }) {
      lake.assertNotPruned(
          "SELECT * FROM " + source + " WHERE k = 'k11'", NotUsedReason.TIME_TRAVEL, ALL);
    }
  }

  @Test
  @DisplayName("C24c: an older snapshot gives its own rows, with the schema that it had")
  void olderSnapshotGivesItsOwnRows() throws Exception {
    long old = table().currentSnapshot().snapshotId();
    lake.sql("ALTER TABLE lake.db.t ADD COLUMN late STRING");
    lake.sql("DELETE FROM lake.db.t WHERE id < 20");
    lake.sync(TABLE, "k");

    String sql = "SELECT * FROM lake.db.t VERSION AS OF " + old + " WHERE k = 'k11'";

    lake.assertNotPruned(sql, NotUsedReason.TIME_TRAVEL, ALL);
    assertThat(Lake.rows(lake.sql(sql))).containsExactly("[11,11,k11,2]");
    assertThat(Lake.rows(lake.sql(QUERY))).isEmpty();
  }

  @Test
  @DisplayName("C24c: read options that choose a snapshot, branch, tag or range are left alone")
  void timeTravelOptionsAreLeftAlone() throws Exception {
    long first = table().currentSnapshot().snapshotId();
    lake.append(TABLE, 100, 110, 1);
    long second = table().currentSnapshot().snapshotId();
    lake.sql("ALTER TABLE lake.db.t CREATE BRANCH b");
    lake.sql("ALTER TABLE lake.db.t CREATE TAG g");
    lake.sync(TABLE, "k");

    assertLeftAlone("snapshot-id", Long.toString(second), "k105", 1, ALL + 1);
    assertLeftAlone("snapshot-id", Long.toString(first), "k105", 0, ALL);
    assertLeftAlone(
        "as-of-timestamp", Long.toString(System.currentTimeMillis()), "k105", 1, ALL + 1);
    assertLeftAlone("branch", "b", "k105", 1, ALL + 1);
    assertLeftAlone("tag", "g", "k105", 1, ALL + 1);
    assertLeftAlone("start-snapshot-id", Long.toString(first), "k105", 1, 1);
    assertLeftAlone("start-snapshot-id", Long.toString(first), "k11", 0, 1);
  }

  private static void assertLeftAlone(
      String option, String value, String key, int rows, int files) {
    Dataset<Row> query =
        lake.spark()
            .read()
            .format("iceberg")
            .option(option, value)
            .load(TABLE)
            .where("k = '" + key + "'");
    assertThat(((NotUsed) Lake.decision(query)).reason())
        .as(option)
        .isEqualTo(NotUsedReason.TIME_TRAVEL);
    assertThat(Lake.files(query)).as(option).hasSize(files);
    assertThat(query.count()).as(option).isEqualTo(rows);
  }

  @Test
  @DisplayName("C24c: a session that reads a WAP branch is left alone")
  void wapBranchIsLeftAlone() {
    lake.sql("ALTER TABLE lake.db.t SET TBLPROPERTIES ('write.wap.enabled'='true')");
    lake.sql("ALTER TABLE lake.db.t CREATE BRANCH audit");
    lake.set("spark.wap.branch", "audit");
    try {
      lake.sql("INSERT INTO lake.db.t VALUES (500, 500, 'k500', 0)");
      String sql = "SELECT * FROM lake.db.t WHERE k = 'k500'";
      lake.assertNotPruned(sql, NotUsedReason.TIME_TRAVEL, ALL + 1);
      assertThat(Lake.rows(lake.sql(sql))).hasSize(1);
    } finally {
      lake.spark().conf().unset("spark.wap.branch");
    }
  }

  @Test
  @DisplayName("C24d: a scan is small only if it has fewer files and fewer bytes than the settings")
  void smallScansAreLeftAlone() {
    long bytes = ((Used) Lake.decision(lake.sql(QUERY))).candidates().bytes();

    assertThresholds(ALL, bytes + 1, true);
    assertThresholds(ALL + 1, bytes + 1, false);
    assertThresholds(ALL + 1, bytes, true);
    assertThresholds(ALL, bytes, true);
    assertThresholds(0, Long.MAX_VALUE, true);
  }

  private static void assertThresholds(long files, long bytes, boolean used) {
    lake.set(PruningSettings.MIN_CANDIDATE_FILES_KEY, files);
    lake.set(PruningSettings.MIN_CANDIDATE_BYTES_KEY, bytes);
    if (used) {
      lake.assertPruned(QUERY, 1, ALL);
    } else {
      NotUsed decision = lake.assertNotPruned(QUERY, NotUsedReason.SMALL_SCAN, ALL);
      assertThat(decision.summary())
          .contains("8 candidate files", "minCandidateFiles=" + files)
          .contains("minCandidateBytes=" + bytes);
    }
  }

  @Test
  @DisplayName("C24e: more keys than maxKeys are not looked up; duplicates count once")
  void tooManyKeysAreNotLookedUp() {
    lake.set(PruningSettings.MAX_KEYS_KEY, 2);

    lake.assertPruned("SELECT * FROM lake.db.t WHERE k IN ('k11', 'k22', 'k11')", 2, ALL);
    lake.assertNotPruned(
        "SELECT * FROM lake.db.t WHERE k IN ('k11', 'k22', 'k33')",
        NotUsedReason.TOO_MANY_KEYS,
        ALL);
  }

  @Test
  @DisplayName(
      "C24f, C26, C28: turned off by SET, scans are Iceberg's own and storage is untouched")
  void turnedOffScansArePlainIceberg() {
    lake.sql("SET spark.xtable.index.pruning.enabled=false");
    int finds = lake.indexes().finds();

    Dataset<Row> query = lake.sql(QUERY);

    assertThat(ScanProbe.pruned(Lake.onlyScan(query))).isEmpty();
    assertThat(Lake.files(query)).hasSize(ALL);
    assertThat(lake.indexes().finds()).isEqualTo(finds);
  }

  @Test
  @DisplayName("C24g: an index that cannot be found, read or that breaks fails no query")
  void unreadableIndexFailsNoQuery() {
    lake.indexes().failLookup(() -> new IndexException("damaged"));
    NotUsed damaged = lake.assertNotPruned(QUERY, NotUsedReason.UNREADABLE, ALL);
    assertThat(damaged.cause()).get().asString().contains("damaged");
    assertThat(damaged.reason().consequence()).isEqualTo(NotUsedReason.Consequence.WARN);

    lake.indexes().failLookup(() -> new UncheckedIOException(new IOException("gone")));
    lake.assertNotPruned(QUERY, NotUsedReason.UNREADABLE, ALL);

    lake.indexes().failLookup(null);
    lake.indexes().failFind(() -> new IndexException("no permission"));
    lake.assertNotPruned(QUERY, NotUsedReason.UNREADABLE, ALL);
  }

  @Test
  @DisplayName("C9, C23: files outside the data path or not Parquet are always read")
  void uncoveredFilesAreAlwaysRead(@TempDir Path elsewhere) throws Exception {
    lake.sql("CREATE TABLE lake.db.other (id BIGINT, n INT, k STRING, p INT) USING iceberg");
    lake.sql("INSERT INTO lake.db.other VALUES (900, 900, 'k900', 0)");
    Table other = Spark3Util.loadIcebergTable(lake.spark(), "lake.db.other");
    List<DataFile> outside = new ArrayList<>();
    other.newScan().planFiles().forEach(task -> outside.add(task.file()));
    table().newAppend().appendFile(outside.get(0)).commit();
    lake.sql("ALTER TABLE lake.db.t SET TBLPROPERTIES ('write.format.default'='orc')");
    lake.sql("INSERT INTO lake.db.t VALUES (901, 901, 'k901', 0)");
    lake.sql("REFRESH TABLE lake.db.t");
    lake.sync(TABLE, "k");

    lake.assertPruned("SELECT * FROM lake.db.t WHERE k = 'k900'", 2, ALL + 2);
    lake.assertPruned("SELECT * FROM lake.db.t WHERE k = 'k11'", 3, ALL + 2);
    assertThat(Lake.rows(lake.sql("SELECT id FROM lake.db.t WHERE k IN ('k900', 'k901')")))
        .containsExactly("[900]", "[901]");
  }

  @Test
  @DisplayName("C25: a filter on the renamed column fails and says how to go on")
  void filterOnRenamedColumnFails() {
    lake.sql("ALTER TABLE lake.db.t RENAME COLUMN k TO key");

    assertThatThrownBy(() -> lake.sql("SELECT * FROM lake.db.t WHERE key = 'k11'").collect())
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("lake.db.t")
        .hasMessageContaining("column k was renamed to key")
        .hasMessageContaining(".hoodie")
        .hasMessageContaining("SET spark.xtable.index.pruning.enabled=false");

    lake.set(PruningSettings.ENABLED_KEY, false);
    assertThat(Lake.rows(lake.sql("SELECT id FROM lake.db.t WHERE key = 'k11'")))
        .containsExactly("[11]");
  }

  @Test
  @DisplayName("C25: a filter on another column that took the name fails")
  void filterOnReusedNameFails() {
    lake.sql("ALTER TABLE lake.db.t DROP COLUMN k");
    lake.sql("ALTER TABLE lake.db.t ADD COLUMN k STRING");

    assertThatThrownBy(() -> lake.sql(QUERY).collect())
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("column k is another column now");

    lake.set(PruningSettings.ENABLED_KEY, false);
    assertThat(Lake.rows(lake.sql(QUERY))).isEmpty();
  }

  @Test
  @DisplayName("C25: it fails before a new sync, stale or not, and only for filters on the column")
  void onlyFiltersOnTheChangedColumnFail() {
    lake.sql("ALTER TABLE lake.db.t RENAME COLUMN k TO key");
    lake.sql("INSERT INTO lake.db.t VALUES (500, 500, 'k500', 0)");

    assertThatThrownBy(() -> lake.sql("SELECT * FROM lake.db.t WHERE key = 'k11'").collect())
        .isInstanceOf(IndexException.class);
    lake.assertNotPruned(
        "SELECT * FROM lake.db.t WHERE n = 11", NotUsedReason.OTHER_COLUMN, ALL + 1);
    lake.assertNotPruned(
        "SELECT * FROM lake.db.t WHERE key > 'k7'", NotUsedReason.NO_KEYS, ALL + 1);
  }

  @Test
  @DisplayName("C25: it fails whether or not Iceberg's own pruning leaves a file to read")
  void filterOnRenamedColumnFailsWithoutCandidatesToo() throws Exception {
    lake.sql("ALTER TABLE lake.db.t SET TBLPROPERTIES ('write.metadata.metrics.default'='full')");
    lake.sql("DELETE FROM lake.db.t");
    lake.append(TABLE, 0, 10, 1);
    lake.sync(TABLE, "k");
    lake.assertNotPruned("SELECT * FROM lake.db.t WHERE k = 'zzz'", NotUsedReason.NO_CANDIDATES, 0);
    lake.sql("ALTER TABLE lake.db.t RENAME COLUMN k TO key");

    assertThatThrownBy(() -> lake.sql("SELECT * FROM lake.db.t WHERE key = 'zzz'").collect())
        .isInstanceOf(IndexException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"copy-on-write", "merge-on-read"})
  @DisplayName("C25: commands that change rows fail too, and change nothing")
  void commandsWithFilterOnRenamedColumnFail(String mode) {
    lake.sql(
        String.format(
            "ALTER TABLE lake.db.t SET TBLPROPERTIES ('format-version'='2',"
                + " 'write.delete.mode'='%1$s', 'write.update.mode'='%1$s',"
                + " 'write.merge.mode'='%1$s')",
            mode));
    lake.sql("ALTER TABLE lake.db.t RENAME COLUMN k TO key");
    List<String> before = Lake.rows(lake.sql("SELECT * FROM lake.db.t"));
    List<String> commands =
        List.of(
            "DELETE FROM lake.db.t WHERE key = 'k11'",
            "UPDATE lake.db.t SET n = -1 WHERE key IN ('k11', 'k12')",
            "MERGE INTO lake.db.t t USING (SELECT 13 AS id) s ON t.id = s.id AND t.key = 'k13'"
                + " WHEN MATCHED THEN UPDATE SET n = -1");

    for (String command : commands) {
      assertThatThrownBy(() -> lake.sql(command))
          .as("%s", command)
          .hasStackTraceContaining(IndexException.class.getName())
          .hasStackTraceContaining("column k was renamed to key");
    }
    assertThat(Lake.rows(lake.sql("SELECT * FROM lake.db.t"))).isEqualTo(before);

    lake.set(PruningSettings.ENABLED_KEY, false);
    commands.forEach(lake::sql);
    assertThat(Lake.rows(lake.sql("SELECT id FROM lake.db.t WHERE n = -1")))
        .containsExactly("[12]", "[13]");
    assertThat(Lake.rows(lake.sql("SELECT id FROM lake.db.t WHERE key = 'k11'"))).isEmpty();
  }

  @Test
  @DisplayName("C8: after int became bigint the index is used, with keys of either type")
  void promotedColumnIsUsed() throws Exception {
    lake.sync(TABLE, "n");
    lake.sql("ALTER TABLE lake.db.t ALTER COLUMN n TYPE BIGINT");

    lake.assertPruned("SELECT * FROM lake.db.t WHERE n = 11", 1, ALL);
    lake.assertPruned("SELECT * FROM lake.db.t WHERE n = 3000000000", 0, ALL);
  }

  @Test
  @DisplayName("C22: a column added since, without a new snapshot, may be filtered too")
  void columnAddedSinceMayBeFilteredToo() {
    lake.sql("ALTER TABLE lake.db.t ADD COLUMN late STRING");

    lake.assertPruned("SELECT * FROM lake.db.t WHERE k = 'k11' AND late IS NULL", 1, ALL);
    lake.assertPruned("SELECT * FROM lake.db.t WHERE k = 'k11' AND late = 'x'", 1, ALL);
  }

  @Test
  @DisplayName("C27: EXPLAIN shows the decision in the scan")
  void explainShowsTheDecision() {
    assertThat(explain("", QUERY))
        .containsPattern("BatchScan.*\\[index: used, 1 of 8 files, .* of .*, 1 key of column k\\]");
    for (String mode : new String[] {"FORMATTED", "EXTENDED", "CODEGEN", "COST"}) {
      assertThat(explain(mode, QUERY)).as(mode).contains("[index: used, 1 of 8 files");
    }
    assertThat(explain("", "SELECT * FROM lake.db.t WHERE n = 1"))
        .contains("[index: not used, OTHER_COLUMN: ");
    lake.indexes().drop();
    assertThat(explain("", QUERY)).doesNotContain("index:");
  }

  private static String explain(String mode, String sql) {
    return lake.sql("EXPLAIN " + mode + " " + sql).head().getString(0);
  }

  @Test
  @DisplayName("C28: queries without keys do not ask storage, others ask once")
  void storageIsAskedOnceAndOnlyForKeys() {
    int finds = lake.indexes().finds();
    int lookups = lake.indexes().lookups();

    lake.sql("SELECT * FROM lake.db.t").collect();
    lake.sql("SELECT * FROM lake.db.t WHERE k > 'k5'").collect();
    lake.sql("SELECT * FROM lake.db.t WHERE k LIKE '%1'").collect();
    assertThat(lake.indexes().finds()).as("without keys").isEqualTo(finds);

    lake.sql(QUERY).collect();
    assertThat(lake.indexes().finds()).as("with keys").isEqualTo(finds + 1);
    assertThat(lake.indexes().lookups()).as("with keys").isEqualTo(lookups + 1);

    lake.indexes().drop();
    lake.sql(QUERY).collect();
    assertThat(lake.indexes().finds()).as("without index").isEqualTo(finds + 2);
  }

  @Test
  @DisplayName("C28: metadata tables are never touched")
  void metadataTablesAreLeftAlone() {
    int finds = lake.indexes().finds();

    lake.sql("SELECT * FROM lake.db.t.files WHERE file_path = 'x'").collect();
    lake.sql("SELECT * FROM lake.db.t.snapshots WHERE operation = 'append'").collect();

    assertThat(lake.indexes().finds()).isEqualTo(finds);
  }

  @Test
  @DisplayName("C24c: changelogs are never touched")
  void changelogsAreLeftAlone() throws Exception {
    lake.sql("DELETE FROM lake.db.t WHERE k IN ('k11', 'k12')");
    lake.sync(TABLE, "k");
    int finds = lake.indexes().finds();
    lake.sql("CALL lake.system.create_changelog_view(table => 'db.t', changelog_view => 'log')");
    for (String changes : new String[] {"lake.db.t.changes", "log"}) {
      assertThat(
              Lake.rows(lake.sql("SELECT _change_type, id FROM " + changes + " WHERE k = 'k11'")))
          .as(changes)
          .containsExactly("[DELETE,11]", "[INSERT,11]");
    }
    assertThat(lake.indexes().finds()).isEqualTo(finds);
  }

  @Test
  @DisplayName("C24a: a scan of which Iceberg does not tell the snapshot is not pruned")
  void scanOfUnknownSnapshotIsNotPruned() throws Exception {
    PruningSettings settings = PruningSettings.of(lake.spark().sessionState().conf());
    PlannedScan scan = ScanProbe.ofUnknownSnapshot(table(), Expressions.equal("k", "k11"));
    try (Footers footers = new Footers()) {
      IndexScanPruner.Selection selection =
          new ScanSelector(scan, settings, path -> lake.indexes().find(path.location()), footers)
              .select();
      assertThat(((NotUsed) selection.decision()).reason())
          .isEqualTo(NotUsedReason.UNKNOWN_SNAPSHOT);
      assertThat(selection.tasks()).hasSize(ALL);
    }
  }

  private static Table table() throws Exception {
    lake.sql("REFRESH TABLE " + TABLE);
    return Spark3Util.loadIcebergTable(lake.spark(), TABLE);
  }
}
