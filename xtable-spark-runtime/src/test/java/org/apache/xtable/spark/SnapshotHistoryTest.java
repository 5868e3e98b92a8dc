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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericAppenderFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.spark.sql.Encoders;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.TableSyncReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C4, C8, C10: whatever is done to a table, the next sync ends with a right index. */
class SnapshotHistoryTest {
  private static SyncFixture fixture;

  @BeforeAll
  static void start(@TempDir Path folder) {
    fixture = new SyncFixture(folder);
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  @DisplayName("C4, C10: every kind of write, in each format version, reads only the new files")
  void writesAreFollowedIncrementally(int version) {
    String name = "writes_v" + version;
    TableHistory history = create(name, version, "PARTITIONED BY (p)");
    insert(name, 0, 240, 4);
    history.build();
    history.follow(() -> insert(name, 1000, 1003, 1));
    history.follow("INSERT INTO lake.db.%s VALUES (2000, 'seven', 7), (2001, NULL, 7)", name);
    history.follow(
        () -> {
          fixture.spark().conf().set("spark.sql.sources.partitionOverwriteMode", "dynamic");
          fixture.sql("INSERT OVERWRITE lake.db.%s VALUES (2002, 'dynamic', 7)", name);
          fixture.spark().conf().unset("spark.sql.sources.partitionOverwriteMode");
        });
    history.follow("INSERT OVERWRITE lake.db.%s PARTITION (p = 7) SELECT 2003, 'static'", name);
    history.follow("DELETE FROM lake.db.%s WHERE p = 7", name);
    history.follow("DELETE FROM lake.db.%s WHERE k = 'k2'", name);
    history.follow("UPDATE lake.db.%s SET k = 'updated' WHERE k = 'k5'", name);
    history.follow(
        "MERGE INTO lake.db.%s t USING (SELECT EXPLODE(ARRAY('k8', 'merged')) AS k) s ON t.k = s.k"
            + " WHEN MATCHED THEN UPDATE SET t.k = 'matched'"
            + " WHEN NOT MATCHED THEN INSERT (id, k, p) VALUES (1, s.k, 1)",
        name);
    history.follow("CALL lake.system.rewrite_manifests('db.%s')", name);
    if (version == 2) {
      history.follow(
          "CALL lake.system.rewrite_position_delete_files(table => 'db.%s',"
              + " options => map('rewrite-all', 'true'))",
          name);
    }
    history.follow(
        "CALL lake.system.rewrite_data_files(table => 'db.%s', where => 'p = 1',"
            + " options => map('rewrite-all', 'true'))",
        name);
    history.assertInSync();
    history.rebuild(
        () ->
            fixture.sql(
                "CALL lake.system.rewrite_data_files(table => 'db.%s', strategy => 'sort',"
                    + " sort_order => 'k', options => map('rewrite-all', 'true'))",
                name));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  @DisplayName("C8: rows that a delete file hid come back in a rollback, and the index knows them")
  void rollbackOfADelete(int version) {
    String name = "hidden_v" + version;
    TableHistory history = create(name, version, "");
    insert(name, 0, 20, 2);
    long before = fixture.table(name).currentSnapshot().snapshotId();
    fixture.sql("DELETE FROM lake.db.%s WHERE k IN ('k3', 'k17')", name);
    assertThat(deleteFileFormats(name)).containsOnly(version == 2 ? "PARQUET" : "PUFFIN");
    history.build();
    history.assertKnows("k3", 1);
    history.assertKnows("k17", 1);
    TableSyncReport report =
        history.follow("CALL lake.system.rollback_to_snapshot('db.%s', %dL)", name, before);
    assertThat(report.filesAdded()).isZero();
  }

  @Test
  @DisplayName(
      "C8: rows that an equality delete hid come back in a rollback, and the index knows them")
  void rollbackOfAnEqualityDelete() throws IOException {
    TableHistory history = create("equality", 2, "");
    insert("equality", 0, 20, 2);
    long before = fixture.table("equality").currentSnapshot().snapshotId();
    hideByEquality("equality", "k4");
    assertThat(fixture.rows("equality", "k = 'k4'")).as("the row is hidden").isEmpty();
    history.build();
    history.assertKnows("k4", 1);
    history.follow(
        () -> {
          try {
            hideByEquality("equality", "k5");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    history.follow("CALL lake.system.rollback_to_snapshot('db.equality', %dL)", before);
  }

  @Test
  @DisplayName("C10: a rollback over several syncs, and another future from there")
  void rollbackOverSeveralSyncs() {
    TableHistory history = create("forked", 2, "");
    insert("forked", 0, 20, 2);
    history.build();
    long fork = fixture.table("forked").currentSnapshot().snapshotId();
    history.follow(() -> insert("forked", 20, 24, 1));
    history.follow("DELETE FROM lake.db.forked WHERE id < 20 AND id >= 10");
    long left = fixture.table("forked").currentSnapshot().snapshotId();
    history.follow(
        () -> {
          fixture.sql("CALL lake.system.rollback_to_snapshot('db.forked', %dL)", fork);
          insert("forked", 30, 33, 1);
        });
    history.follow("CALL lake.system.set_current_snapshot('db.forked', %dL)", left);
  }

  @Test
  @DisplayName("C10: a staged write is no news before it is cherry-picked")
  void cherryPick() {
    TableHistory history = create("picked", 2, "");
    insert("picked", 0, 20, 2);
    fixture.sql("ALTER TABLE lake.db.picked SET TBLPROPERTIES ('write.wap.enabled'='true')");
    history.build();
    fixture.spark().conf().set("spark.wap.id", "audit");
    insert("picked", 20, 22, 1);
    fixture.spark().conf().unset("spark.wap.id");
    history.assertInSync();
    long staged =
        StreamSupport.stream(fixture.table("picked").snapshots().spliterator(), false)
            .filter(snapshot -> snapshot.summary().containsKey("wap.id"))
            .findFirst()
            .orElseThrow()
            .snapshotId();
    history.follow(() -> insert("picked", 30, 32, 1));
    history.follow("CALL lake.system.cherrypick_snapshot('db.picked', %dL)", staged);
    history.assertKnows("k21", 1);
  }

  @Test
  @DisplayName("C10: what is on a branch is no news before main is moved to it")
  void fastForward() {
    TableHistory history = create("branched", 2, "");
    insert("branched", 0, 20, 2);
    history.build();
    fixture.sql("ALTER TABLE lake.db.branched CREATE BRANCH b");
    fixture.sql("INSERT INTO lake.db.branched.branch_b VALUES (50, 'k50', 0)");
    fixture.sql("DELETE FROM lake.db.branched.branch_b WHERE k = 'k1'");
    history.assertInSync();
    history.follow("CALL lake.system.fast_forward('db.branched', 'main', 'b')");
    history.assertKnows("k50", 1);
  }

  @Test
  @DisplayName("C10: the synced snapshot expired and its files are gone from storage")
  void expiredSnapshots() {
    TableHistory history = create("expired", 2, "PARTITIONED BY (p)");
    insert("expired", 0, 60, 2);
    history.build();
    Table table = fixture.table("expired");
    long synced = table.currentSnapshot().snapshotId();
    Set<Path> before = SyncFixture.contentOutsideIndex(fixture.dataFolder("expired")).keySet();
    history.follow(
        () -> {
          fixture.sql("DELETE FROM lake.db.expired WHERE p = 0");
          insert("expired", 100, 103, 1);
          fixture.sql(
              "CALL lake.system.expire_snapshots(table => 'db.expired',"
                  + " older_than => TIMESTAMP '2100-01-01 00:00:00', retain_last => 1)");
        });
    assertThat(fixture.table("expired").snapshot(synced)).isNull();
    assertThat(before).as("files of p = 0 are gone").anyMatch(file -> !Files.exists(file));
    history.assertInSync();
  }

  @Test
  @DisplayName("C10: a table without snapshot, filled, emptied and filled again")
  void emptyTables() {
    TableHistory history = create("empty", 2, "");
    history.build();
    history.assertInSync();
    history.follow(() -> insert("empty", 0, 20, 2));
    history.rebuild(() -> fixture.sql("DELETE FROM lake.db.empty"));
    history.assertInSync();
    history.follow(() -> insert("empty", 5, 25, 1));
    history.rebuild(() -> fixture.sql("TRUNCATE TABLE lake.db.empty"));
  }

  @Test
  @DisplayName("C10: a table with a snapshot but no file, then only nulls, then values")
  void onlyNulls() {
    TableHistory history = create("nulls", 2, "");
    fixture.sql("INSERT INTO lake.db.nulls VALUES (1, 'gone', 0)");
    fixture.sql("DELETE FROM lake.db.nulls WHERE true");
    assertThat(fixture.table("nulls").currentSnapshot()).isNotNull();
    assertThat(history.build().filesAdded()).isZero();
    TableSyncReport report =
        history.follow("INSERT INTO lake.db.nulls VALUES (1, NULL, 0), (2, NULL, 0)");
    assertThat(report.entries()).isZero();
    history.follow("INSERT INTO lake.db.nulls VALUES (3, 'k3', 0), (4, '', 0)");
    history.assertKnows("", 1);
  }

  @Test
  @DisplayName(
      "C10: a file that is appended once more may be read once more; the index stays right")
  void fileAppendedAgain() {
    create("twice", 2, "");
    insert("twice", 0, 20, 2);
    fixture.sync("twice", "k");
    Map<String, Set<Long>> before = fixture.locations("twice", "k3");
    Table table = fixture.table("twice");
    DataFile file = table.currentSnapshot().addedDataFiles(table.io()).iterator().next();
    table.newFastAppend().appendFile(file).commit();
    fixture.sql("REFRESH TABLE lake.db.twice");
    TableSyncReport report = fixture.sync("twice", "k");
    assertThat(report.action()).isEqualTo(TableSyncReport.Action.UPDATED);
    assertThat(fixture.locations("twice", "k3")).isEqualTo(before);
    for (String key : List.of("k3", "k13")) {
      String query = "SELECT * FROM lake.db.twice WHERE k = '" + key + "'";
      assertThat(fixture.rows(query, true)).isEqualTo(fixture.rows(query, false)).isNotEmpty();
      assertThat(fixture.decision(query)).contains("[index: used, ");
    }
  }

  @Test
  @DisplayName("C10: another table at the same data path: its index replaces the other's")
  void recreatedTable() {
    String clauses =
        "TBLPROPERTIES ('write.data.path'='" + fixture.folder().resolve("shared") + "')";
    fixture.sql("CREATE TABLE lake.db.recreated (id BIGINT, k STRING) USING iceberg %s", clauses);
    fixture.sql("INSERT INTO lake.db.recreated VALUES (1, 'a'), (2, 'b')");
    TableHistory history = new TableHistory(fixture, "recreated", "k");
    history.build();
    fixture.sql("DROP TABLE lake.db.recreated");
    assertThat(fixture.folder().resolve("shared/.hoodie")).exists();

    fixture.sql(
        "CREATE TABLE lake.db.recreated (x INT, id BIGINT, k STRING) USING iceberg %s", clauses);
    TableSyncReport report =
        history.rebuild(() -> fixture.sql("INSERT INTO lake.db.recreated VALUES (0, 1, 'c')"));
    assertThat(report.reason().orElseThrow()).contains("another table");
    assertThat(fixture.locations("recreated", "a")).isEmpty();
    history.follow("INSERT INTO lake.db.recreated VALUES (0, 2, 'd')");
  }

  @Test
  @DisplayName("C10: a replaced table (CREATE OR REPLACE) is the same table with other files")
  void replacedTable() {
    TableHistory history = create("replaced", 2, "");
    insert("replaced", 0, 20, 2);
    history.build();
    history.rebuild(
        () ->
            fixture.sql(
                "CREATE OR REPLACE TABLE lake.db.replaced USING iceberg AS"
                    + " SELECT id, concat('new', id) AS k FROM range(0, 20)"));
    TableSyncReport report =
        history.rebuild(
            () ->
                fixture.sql(
                    "CREATE OR REPLACE TABLE lake.db.replaced USING iceberg AS"
                        + " SELECT id, CAST(id AS INT) AS k FROM range(0, 20)"));
    assertThat(report.reason().orElseThrow()).contains("type changed");
  }

  @Test
  @DisplayName("C3, C10: a table that another catalog registers keeps its index")
  void registeredTable() {
    TableHistory history = create("registered", 2, "");
    insert("registered", 0, 20, 2);
    history.build();
    fixture.spark().conf().set("spark.sql.catalog.second", "org.apache.iceberg.spark.SparkCatalog");
    fixture.spark().conf().set("spark.sql.catalog.second.type", "hadoop");
    fixture
        .spark()
        .conf()
        .set("spark.sql.catalog.second.warehouse", fixture.folder().resolve("second").toString());
    Table table = fixture.table("registered");
    fixture.sql(
        "CALL second.system.register_table('db.moved', '%s')",
        ((HasTableOperations) table).operations().current().metadataFileLocation());
    String query = "SELECT * FROM second.db.moved WHERE k = 'k7'";
    assertThat(fixture.rows(query, true)).hasSize(1);
    assertThat(fixture.decision(query)).contains("used, 1 of 2 files");

    DatasetConfig.Dataset moved =
        DatasetConfig.Dataset.inCatalog("second.db", "moved", HudiTarget.ofColumn("k"));
    assertThat(sync(moved).action()).isEqualTo(TableSyncReport.Action.UNCHANGED);
    fixture.sql("INSERT INTO second.db.moved VALUES (50, 'k50', 0)");
    assertThat(sync(moved).filesAdded()).isEqualTo(1);
    assertThat(fixture.decision("SELECT * FROM second.db.moved WHERE k = 'k50'"))
        .contains("used, 1 of 3 files");
  }

  @Test
  @DisplayName("C10: a table without UUID, as old writers made them, is refused until it has one")
  void tableWithoutUuid() throws IOException {
    TableHistory history = create("nameless", 1, "");
    insert("nameless", 0, 5, 1);
    takeUuid("nameless");
    TableSyncReport report = fixture.trySync("nameless", HudiTarget.ofColumn("k"));
    assertThat(report.hasFailed()).isTrue();
    assertThat(report.error().orElseThrow())
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("nameless")
        .hasMessageContaining("no UUID")
        .hasMessageContaining("commit");
    assertThat(fixture.indexFolder("nameless")).doesNotExist();

    fixture.table("nameless").newAppend().commit();
    fixture.sql("REFRESH TABLE lake.db.nameless");
    history.build();
  }

  /** Makes the current metadata of a Hadoop table what Iceberg 0.7 would have written. */
  private static void takeUuid(String name) throws IOException {
    Path metadata =
        Path.of(
            java.net.URI.create(
                ((HasTableOperations) fixture.table(name))
                    .operations()
                    .current()
                    .metadataFileLocation()
                    .replaceFirst("^(file:)?/*", "file:///")));
    String json = Files.readString(metadata);
    String without = json.replaceFirst("\"table-uuid\"\\s*:\\s*\"[^\"]*\",", "");
    assertThat(without).isNotEqualTo(json);
    Files.writeString(metadata, without);
    Files.deleteIfExists(metadata.resolveSibling("." + metadata.getFileName() + ".crc"));
    fixture.sql("REFRESH TABLE lake.db.%s", name);
  }

  private static TableSyncReport sync(DatasetConfig.Dataset dataset) {
    return XTableSync.create(fixture.spark()).sync(DatasetConfig.of(dataset)).reports().get(0);
  }

  private static List<String> deleteFileFormats(String name) {
    return fixture
        .spark()
        .sql("SELECT file_format FROM lake.db." + name + ".delete_files")
        .as(Encoders.STRING())
        .collectAsList();
  }

  private static void hideByEquality(String name, String key) throws IOException {
    Table table = fixture.table(name);
    int field = table.schema().findField("k").fieldId();
    EqualityDeleteWriter<Record> writer =
        new GenericAppenderFactory(
                table.schema(), table.spec(), new int[] {field}, table.schema().select("k"), null)
            .newEqDeleteWriter(
                EncryptedFiles.plainAsEncryptedOutput(
                    table
                        .io()
                        .newOutputFile(
                            table.locationProvider().newDataLocation("hide-" + key + ".parquet"))),
                FileFormat.PARQUET,
                null);
    try (writer) {
      writer.write(GenericRecord.create(table.schema().select("k")).copy("k", key));
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
  }

  private static TableHistory create(String name, int version, String clauses) {
    String mode = version == 1 ? "copy-on-write" : "merge-on-read";
    fixture.sql(
        "CREATE TABLE lake.db.%s (id BIGINT, k STRING, p INT) USING iceberg %s TBLPROPERTIES"
            + " ('format-version'='%d', 'write.delete.mode'='%4$s', 'write.update.mode'='%4$s',"
            + " 'write.merge.mode'='%4$s', 'write.distribution-mode'='none',"
            + " 'write.metadata.metrics.default'='none')",
        name, clauses, version, mode);
    return new TableHistory(fixture, name, "k");
  }

  private static void insert(String name, int from, int to, int files) {
    fixture.sql(
        "INSERT INTO lake.db.%s SELECT id, concat('k', id), CAST(id %% 3 AS INT)"
            + " FROM range(%d, %d, 1, %d)",
        name, from, to, files);
  }
}
