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
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericAppenderFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.io.DataWriter;
import org.apache.xtable.index.sync.TableSyncReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C8, C9: where data files are, what they are called, and who wrote them. */
class FilePlacesTest {
  /** Folders and file names that somebody, somewhere, has. */
  private static final List<String> PLACES =
      List.of(
          "plain.parquet",
          "p=1/q=2/deep.parquet",
          "a b/c d.parquet",
          "100%/50%25/x%2Fy.parquet",
          "k=v=w/=.parquet",
          "größe/鍵/\uD83D\uDE00.parquet",
          "a+b/c+.parquet",
          "a#b/c#d.parquet",
          "a_b/_1_2_3_.parquet",
          "x_fg%3Dp/f_fg%3Dq.parquet",
          "x_hudiext/f_20260101000000000_hudiext.parquet",
          "f_20260101000000000_fg%3Dx_hudiext",
          "a$b/c$d\\e.parquet",
          "a&b?c/d?e=f;g.parquet",
          "'q'/\"r\".parquet",
          "[a]/{b}*.parquet",
          "..a/b../...c.parquet",
          "no-suffix",
          ".hidden/_also.parquet",
          "archived/.hoodie/f.parquet");

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
  @DisplayName("C8: folders and files may have any name")
  void namesOfAllKinds() {
    create("places", "");
    assertNamesOfAllKinds("places");
  }

  @Test
  @DisplayName("C8: so may the data path")
  void oddDataPath() {
    create(
        "odd",
        "'write.data.path'='"
            + fixture.folder().resolve("da ta 100% x%20y/=+#ü_fg%3Dy_hudiext/a.hoodie")
            + "'");
    assertNamesOfAllKinds("odd");
  }

  private static void assertNamesOfAllKinds(String name) {
    TableHistory history = new TableHistory(fixture, name, "k");
    append(name, PLACES.subList(0, PLACES.size() / 2));
    history.build();
    history.follow(() -> append(name, PLACES.subList(PLACES.size() / 2, PLACES.size())));
    for (String place : PLACES) {
      assertThat(fixture.locations(name, place).keySet()).as(place).containsExactly(place);
    }
    assertThat(fixture.locations(name, "shared").keySet())
        .containsExactlyInAnyOrderElementsOf(PLACES);
    assertThat(fixture.stockLocations(name, "secondary_index_k", "shared"))
        .as("by Hudi's own reader")
        .isEqualTo(fixture.locations(name, "shared"));
    history.follow(
        () -> fixture.sql("DELETE FROM lake.db.%s WHERE k <> 'shared' AND id < 3 OR id < 3", name));
  }

  @Test
  @DisplayName("C8: the indexed column is an identity partition, with values of all kinds")
  void partitionValuesOfAllKinds() {
    fixture.sql(
        "CREATE TABLE lake.db.partitioned (id BIGINT, k STRING) USING iceberg PARTITIONED BY (k)"
            + " TBLPROPERTIES ('write.metadata.metrics.default'='none')");
    fixture.sql(
        "INSERT INTO lake.db.partitioned VALUES (1, 'a b'), (2, '100%%'), (3, 'x=y'), (4, 'a/b'),"
            + " (5, 'ü'), (6, '+'), (7, '#'), (8, '_'), (9, ':'), (10, '_fg%%3D'), (11, 'a_hudiext'),"
            + " (12, ''), (13, NULL), (14, '__HIVE_DEFAULT_PARTITION__'), (15, 'null'), (16, '.')");
    TableHistory history = new TableHistory(fixture, "partitioned", "k");
    assertThat(history.build().entries()).isEqualTo(15);
    history.follow("INSERT INTO lake.db.partitioned VALUES (20, '100%%'), (21, 'a/b'), (22, '..')");
    history.assertKnows("a/b", 2);
  }

  @Test
  @DisplayName("C6: Iceberg's removal of orphan files leaves the index alone")
  void orphanFiles() throws IOException {
    create("orphans", "");
    fixture.sql("INSERT INTO lake.db.orphans VALUES (1, 'a')");
    TableHistory history = new TableHistory(fixture, "orphans", "k");
    history.build();
    Path orphan = Files.writeString(fixture.dataFolder("orphans").resolve("orphan.parquet"), "");
    // It removes only what is some days old.
    FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(30)));
    try (Stream<Path> files = Files.walk(fixture.dataFolder("orphans"))) {
      for (Path file : files.collect(Collectors.toList())) {
        Files.setLastModifiedTime(file, longAgo);
      }
    }
    Set<String> index = SyncFixture.files(fixture.indexFolder("orphans"));
    fixture.sql("CALL lake.system.remove_orphan_files('db.orphans')");
    assertThat(orphan).doesNotExist();
    assertThat(SyncFixture.files(fixture.indexFolder("orphans"))).isEqualTo(index);
    history.assertKnows("a", 1);
  }

  @Test
  @DisplayName("C9: ORC and Avro files are not covered: queries always read them")
  void otherFormats() {
    create("formats", "");
    fixture.sql("INSERT INTO lake.db.formats VALUES (1, 'all')");
    for (String format : List.of("orc", "avro")) {
      fixture.sql(
          "ALTER TABLE lake.db.formats SET TBLPROPERTIES ('write.format.default'='%s')", format);
      fixture.sql("INSERT INTO lake.db.formats VALUES (2, 'all')");
    }
    TableHistory history = new TableHistory(fixture, "formats", "k");
    assertThat(history.build().filesAdded()).isEqualTo(1);
    assertThat(fixture.decision("SELECT * FROM lake.db.formats WHERE k = 'absent'"))
        .contains("used, 2 of 3 files");
    history.follow("INSERT INTO lake.db.formats VALUES (5, 'avro')");
    fixture.sql("ALTER TABLE lake.db.formats SET TBLPROPERTIES ('write.format.default'='parquet')");
    history.follow("INSERT INTO lake.db.formats VALUES (6, 'avro')");
    assertThat(fixture.decision("SELECT * FROM lake.db.formats WHERE k = 'avro'"))
        .contains("used, 4 of 5 files");
  }

  @Test
  @DisplayName(
      "C9: files that add_files took from elsewhere are not covered: queries always read them")
  void importedFromElsewhere() {
    Path imported = hiveFolder(fixture.folder().resolve("hive"));
    createPartitioned("imported");
    fixture.sql("INSERT INTO lake.db.imported VALUES (10, 'c d', 1)");
    fixture.sql(
        "CALL lake.system.add_files(table => 'db.imported', source_table => '`parquet`.`%s`')",
        imported);
    TableHistory history = new TableHistory(fixture, "imported", "k");
    assertThat(history.build().filesAdded()).isEqualTo(1);
    assertThat(fixture.rows("SELECT * FROM lake.db.imported WHERE k = 'a'", true)).hasSize(1);
    assertThat(fixture.decision("SELECT * FROM lake.db.imported WHERE k IN ('c d', 'a')"))
        .contains("[index: used, ");
  }

  @Test
  @DisplayName(
      "C8: files below the data path without field ids and without the partition column have the"
          + " values that Iceberg reads")
  void importedBelowTheDataPath() {
    createPartitioned("below");
    fixture.sql("INSERT INTO lake.db.below VALUES (10, 'c d', 1)");
    Path imported = hiveFolder(fixture.dataFolder("below").resolve("imported"));
    fixture.sql(
        "CALL lake.system.add_files(table => 'db.below', source_table => '`parquet`.`%s`')",
        imported);
    TableHistory history = new TableHistory(fixture, "below", "k");
    assertThat(history.build().filesAdded()).isEqualTo(4);
    history.assertKnows("c d", 2);
    assertThat(fixture.locations("below", "a")).hasSize(1);
    fixture.deleteIndex("below");
    fixture.sql("ALTER TABLE lake.db.below RENAME COLUMN n TO m");
    TableHistory byMapping = new TableHistory(fixture, "below", "m");
    byMapping.build();
    byMapping.assertKnows(7, 1);
    byMapping.follow("INSERT INTO lake.db.below VALUES (11, 'a', 7)");
    byMapping.assertKnows(7, 2);
  }

  /** As Hive writes it: no field ids, and the partition column only in the folder's name. */
  private static Path hiveFolder(Path folder) {
    fixture
        .spark()
        .sql(
            "SELECT 1L AS id, 7 AS n, 'a' AS k UNION ALL SELECT 2L, 8, 'c d' UNION ALL SELECT 3L, 9, 'ü%'")
        .write()
        .partitionBy("k")
        .parquet(folder.toString());
    return folder;
  }

  private static void createPartitioned(String name) {
    fixture.sql(
        "CREATE TABLE lake.db.%s (id BIGINT, k STRING, n INT) USING iceberg PARTITIONED BY (k)"
            + " TBLPROPERTIES ('write.metadata.metrics.default'='none')",
        name);
  }

  @Test
  @DisplayName("C9: write.data.path is changed: a new index there, files of before are always read")
  void dataPathChanges() {
    create("moving", "");
    fixture.sql("INSERT INTO lake.db.moving VALUES (1, 'old')");
    TableHistory history = new TableHistory(fixture, "moving", "k");
    history.build();
    Path first = fixture.indexFolder("moving");

    setDataPath("moving", fixture.folder().resolve("moved/there"));
    assertThat(fixture.rows("SELECT * FROM lake.db.moving WHERE k = 'old'", true)).hasSize(1);
    fixture.sql("INSERT INTO lake.db.moving VALUES (3, 'new')");
    assertThat(history.build().filesAdded()).isEqualTo(1);
    assertThat(fixture.indexFolder("moving")).isNotEqualTo(first).exists();
    assertThat(fixture.decision("SELECT * FROM lake.db.moving WHERE k = 'new'"))
        .as("the file of before is not covered")
        .contains("used, 2 of 2 files");
    history.follow("INSERT INTO lake.db.moving VALUES (5, 'more')");

    fixture.sql("ALTER TABLE lake.db.moving UNSET TBLPROPERTIES ('write.data.path')");
    TableSyncReport back = fixture.sync("moving", "k");
    assertThat(back.filesAdded()).as("%s", back).isZero();
    history.assertRight();
    history.follow("INSERT INTO lake.db.moving VALUES (6, 'home')");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  @DisplayName("C4: object storage layout, with and without partitions in the paths")
  void objectStorageLayout(String partitionedPaths) {
    String name = "objects_" + partitionedPaths;
    fixture.sql(
        "CREATE TABLE lake.db.%s (id BIGINT, k STRING, p STRING) USING iceberg PARTITIONED BY (p)"
            + " TBLPROPERTIES ('write.object-storage.enabled'='true',"
            + " 'write.object-storage.partitioned-paths'='%s', 'write.data.path'='%s',"
            + " 'write.metadata.metrics.default'='none')",
        name, partitionedPaths, fixture.folder().resolve("store/" + name).toUri());
    fixture.sql("INSERT INTO lake.db.%s VALUES (1, 'a', 'x y'), (2, 'b', 'z/%%')", name);
    TableHistory history = new TableHistory(fixture, name, "k");
    history.build();
    history.follow("INSERT INTO lake.db.%s VALUES (3, 'a', 'x y')", name);
    history.assertKnows("a", 2);
  }

  private static void create(String name, String properties) {
    fixture.sql(
        "CREATE TABLE lake.db.%s (id BIGINT, k STRING) USING iceberg TBLPROPERTIES"
            + " ('write.metadata.metrics.default'='none'%s)",
        name, properties.isEmpty() ? "" : ", " + properties);
  }

  private static void setDataPath(String name, Path folder) {
    fixture
        .table(name)
        .updateProperties()
        .set(TableProperties.WRITE_DATA_LOCATION, folder.toString())
        .commit();
    fixture.sql("REFRESH TABLE lake.db.%s", name);
  }

  /** One file each, whose rows have the place itself and "shared" in column k. */
  private static void append(String name, List<String> places) {
    Table table = fixture.table(name);
    AppendFiles append = table.newAppend();
    places.forEach(
        place -> append.appendFile(write(table, fixture.dataPath(name).resolve(place), place)));
    append.commit();
    fixture.sql("REFRESH TABLE lake.db.%s", name);
  }

  private static DataFile write(Table table, String location, String place) {
    DataWriter<Record> writer =
        new GenericAppenderFactory(table.schema(), table.spec())
            .newDataWriter(
                EncryptedFiles.plainAsEncryptedOutput(table.io().newOutputFile(location)),
                FileFormat.PARQUET,
                null);
    try (writer) {
      writer.write(row(table, 100, place));
      writer.write(row(table, place.length(), "shared"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    DataFile file = writer.toDataFile();
    assertThat(file.location()).isEqualTo(location);
    return file;
  }

  private static Record row(Table table, long id, String k) {
    GenericRecord row = GenericRecord.create(table.schema());
    row.setField("id", id);
    row.setField("k", k);
    return row;
  }
}
