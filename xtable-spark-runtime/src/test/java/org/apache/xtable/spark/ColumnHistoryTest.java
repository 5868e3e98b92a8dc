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
import java.util.Set;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Types;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.TableSyncReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** C5, C8: schemas and partition specs that change, and names that columns may have. */
class ColumnHistoryTest {
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
  @DisplayName("C8: a column that was added later is null in older files")
  void columnAddedLater() {
    create("added", "id BIGINT", 2, "");
    fixture.sql("INSERT INTO lake.db.added VALUES (1), (2)");
    fixture.sql("ALTER TABLE lake.db.added ADD COLUMN k STRING");
    fixture.sql("INSERT INTO lake.db.added VALUES (3, 'k3'), (4, NULL)");
    TableHistory history = new TableHistory(fixture, "added", "k");
    assertThat(history.build().entries()).isEqualTo(1);
    history.follow("INSERT INTO lake.db.added VALUES (5, 'k3')");
    history.assertKnows("k3", 2);
  }

  @Test
  @DisplayName("C8: a column that was added with an initial default has it in older files")
  void columnAddedWithInitialDefault() {
    create("defaults", "id BIGINT", 3, "");
    fixture.sql("INSERT INTO lake.db.defaults VALUES (1), (2)");
    fixture
        .table("defaults")
        .updateSchema()
        .addColumn("k", Types.StringType.get(), Literal.of("default"))
        .addColumn("n", Types.IntegerType.get(), Literal.of(42))
        .commit();
    fixture.sql("INSERT INTO lake.db.defaults VALUES (3, 'k3', 3), (4, 'default', 42)");
    TableHistory history = new TableHistory(fixture, "defaults", "k");
    history.build();
    history.assertKnows("default", 2);
    history.follow("INSERT INTO lake.db.defaults VALUES (5, 'default', 0)");
    history.assertKnows("default", 3);

    create("int_defaults", "id BIGINT", 3, "");
    fixture.sql("INSERT INTO lake.db.int_defaults VALUES (1), (2)");
    fixture
        .table("int_defaults")
        .updateSchema()
        .addColumn("n", Types.IntegerType.get(), Literal.of(42))
        .commit();
    fixture.sql("INSERT INTO lake.db.int_defaults VALUES (3, 3), (4, 42)");
    TableHistory numbers = new TableHistory(fixture, "int_defaults", "n");
    numbers.build();
    numbers.assertKnows(42, 2);
    numbers.follow("ALTER TABLE lake.db.int_defaults ALTER COLUMN n TYPE BIGINT");
    numbers.follow("INSERT INTO lake.db.int_defaults VALUES (5, 42), (6, 5000000000)");
  }

  @ParameterizedTest
  @CsvSource({"plain, ''", "identity, PARTITIONED BY (n)"})
  @DisplayName("C8: an int column that was widened to bigint keeps its keys")
  void widenedColumn(String name, String clauses) {
    String table = "widened_" + name;
    create(table, "id BIGINT, n INT", 2, clauses);
    fixture.sql("INSERT INTO lake.db.%s VALUES (1, 1), (2, -2), (3, 2147483647)", table);
    TableHistory history = new TableHistory(fixture, table, "n");
    history.build();
    fixture.sql("ALTER TABLE lake.db.%s ALTER COLUMN n TYPE BIGINT", table);
    history.assertRight();
    TableSyncReport report =
        history.follow("INSERT INTO lake.db.%s VALUES (4, 5000000000), (5, 1)", table);
    assertThat(report.entries()).isEqualTo(2);
    history.assertKnows(1L, 2);
    history.assertInSync();
    fixture.sql("ALTER TABLE lake.db.%s ADD COLUMN m INT", table);
    fixture.deleteIndex(table);
    history.build();
    history.assertKnows(1L, 2);
  }

  @Test
  @DisplayName(
      "C8: other columns are renamed, moved, dropped and added; files of before stay right")
  void otherColumnsChange() {
    create("others", "id BIGINT, a STRING, k STRING, b INT", 2, "");
    fixture.sql("INSERT INTO lake.db.others VALUES (1, 'a1', 'k1', 1), (2, 'a2', 'k2', 2)");
    TableHistory history = new TableHistory(fixture, "others", "k");
    history.build();
    fixture.sql("ALTER TABLE lake.db.others RENAME COLUMN a TO c");
    fixture.sql("ALTER TABLE lake.db.others DROP COLUMN b");
    fixture.sql("ALTER TABLE lake.db.others ADD COLUMN a BIGINT FIRST");
    fixture.sql("ALTER TABLE lake.db.others ALTER COLUMN k FIRST");
    history.assertInSync();
    history.assertRight();
    history.follow("INSERT INTO lake.db.others VALUES ('k3', 3, 3, 'c3')");
    fixture.deleteIndex("others");
    history.build();
    history.assertKnows("k1", 1);
  }

  @Test
  @DisplayName("C8: the column was renamed before the first sync; files have its old name")
  void renamedBeforeTheFirstSync() {
    create("renamed_before", "id BIGINT, old STRING", 2, "");
    fixture.sql("INSERT INTO lake.db.renamed_before VALUES (1, 'k1'), (2, 'k2')");
    fixture.sql("ALTER TABLE lake.db.renamed_before RENAME COLUMN old TO k");
    fixture.sql("ALTER TABLE lake.db.renamed_before ADD COLUMN old STRING");
    fixture.sql("INSERT INTO lake.db.renamed_before VALUES (3, 'k1', 'decoy')");
    TableHistory history = new TableHistory(fixture, "renamed_before", "k");
    history.build();
    history.assertKnows("k1", 2);
    assertThat(fixture.locations("renamed_before", "decoy")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  @DisplayName("C8, C10: the partition spec changes, on the indexed column and on others")
  void partitionSpecChanges(int version) {
    String name = "evolved_v" + version;
    create(name, "id BIGINT, k STRING, p INT", version, "PARTITIONED BY (p)");
    fixture.sql("INSERT INTO lake.db.%s VALUES (1, 'a', 1), (2, 'b', 2), (3, NULL, 1)", name);
    TableHistory history = new TableHistory(fixture, name, "k");
    history.build();
    fixture.sql("ALTER TABLE lake.db.%s ADD PARTITION FIELD k", name);
    history.assertInSync();
    history.follow(
        "INSERT INTO lake.db.%s VALUES (4, 'a', 1), (5, 'ü /=%%+', 2), (6, NULL, 1)", name);
    fixture.sql("ALTER TABLE lake.db.%s DROP PARTITION FIELD k", name);
    fixture.sql("ALTER TABLE lake.db.%s ADD PARTITION FIELD truncate(1, k)", name);
    history.follow("INSERT INTO lake.db.%s VALUES (7, 'a', 1), (8, 'ab', 2)", name);
    fixture.sql("ALTER TABLE lake.db.%s DROP PARTITION FIELD p", name);
    history.follow("INSERT INTO lake.db.%s VALUES (9, 'a', 1)", name);
    history.assertKnows("a", 4);
    fixture.deleteIndex(name);
    history.build();
    history.assertKnows("a", 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "1 Key`s schlüssel 鍵 a/b%3D it's"})
  @DisplayName("C5: a column may have any name")
  void namesOfAllKinds(String column) {
    String quoted = "`" + column.replace("`", "``") + "`";
    fixture.sql("DROP TABLE IF EXISTS lake.db.named PURGE");
    create("named", "id BIGINT, " + quoted + " STRING, s STRUCT<b: STRING>", 2, "");
    fixture.sql(
        "INSERT INTO lake.db.named VALUES (1, 'k1', named_struct('b', 'decoy')), (2, 'k2', NULL)");
    TableHistory history = new TableHistory(fixture, "named", column);
    history.build();
    history.follow("INSERT INTO lake.db.named VALUES (3, 'k1', named_struct('b', 'decoy'))");
    history.assertKnows("k1", 2);
    assertThat(fixture.locations("named", "decoy")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("C5: two columns whose names differ only in case are two columns")
  void namesThatDifferInCase(boolean caseSensitiveSync) {
    fixture.spark().conf().set("spark.sql.caseSensitive", true);
    try {
      fixture.sql("DROP TABLE IF EXISTS lake.db.cases PURGE");
      create("cases", "id BIGINT, K STRING, k STRING", 2, "");
      fixture.sql("INSERT INTO lake.db.cases VALUES (1, 'upper', 'lower'), (2, 'K2', 'k2')");
      fixture.spark().conf().set("spark.sql.caseSensitive", caseSensitiveSync);
      fixture.sync("cases", "k");
      fixture.spark().conf().set("spark.sql.caseSensitive", true);
      TableHistory history = new TableHistory(fixture, "cases", "k");
      history.assertRight();
      history.assertKnows("lower", 1);
      assertThat(fixture.locations("cases", "upper", "K2")).isEmpty();
      assertThat(fixture.decision("SELECT * FROM lake.db.cases WHERE K = 'upper'"))
          .doesNotContain(": used");
    } finally {
      fixture.spark().conf().unset("spark.sql.caseSensitive");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "renamed | RENAME COLUMN k TO key | was renamed to 'key'",
        "dropped | DROP COLUMN k | was dropped",
        "reused | RENAME COLUMN k TO key; ADD COLUMN k STRING | its name given to field id",
        "recreated | DROP COLUMN k; ADD COLUMN k STRING | its name given to field id",
      })
  @DisplayName(
      "C5: a sync of a column that was renamed, dropped or re-used fails and leaves the index")
  void changedColumnIsRefused(String change, String alterations, String words) {
    String name = "changed_" + change;
    create(name, "id BIGINT, k STRING", 2, "");
    fixture.sql("INSERT INTO lake.db.%s VALUES (1, 'k1'), (2, 'k2')", name);
    fixture.sync(name, "k");
    for (String alteration : alterations.split(";")) {
      fixture.sql("ALTER TABLE lake.db.%s %s", name, alteration);
    }
    fixture.sql("DELETE FROM lake.db.%s WHERE id = 1", name);
    assertThat(refused(name, "k"))
        .contains(words)
        .contains("delete the folder")
        .contains(fixture.indexFolder(name).toString());
    if (change.equals("renamed")) {
      assertThat(refused(name, "key")).contains("'k'").contains("'key'").contains("was renamed");
    }
    fixture.deleteIndex(name);
    String column = change.equals("renamed") ? "key" : change.equals("dropped") ? null : "k";
    if (column != null) {
      new TableHistory(fixture, name, column).build();
    }
  }

  @Test
  @DisplayName("C5, C6: a sync of another column fails, names both; without the index it builds")
  void otherColumnIsRefused() {
    create("other", "id BIGINT, k STRING, o STRING", 2, "");
    fixture.sql("INSERT INTO lake.db.other VALUES (1, 'k1', 'o1')");
    fixture.sync("other", "k");
    assertThat(refused("other", "o")).contains("'k'").contains("'o'").contains("delete the folder");
    fixture.sql("INSERT INTO lake.db.other VALUES (2, 'k2', 'o2')");
    assertThat(refused("other", "o")).contains("'k'").contains("'o'");
    fixture.deleteIndex("other");
    new TableHistory(fixture, "other", "o").build();
  }

  @ParameterizedTest
  @CsvSource({
    "d, double",
    "f, float",
    "t, timestamp",
    "a, date",
    "b, binary",
    "c, decimal",
    "o, boolean",
    "l, list",
    "m, map",
    "s, struct",
    "s.x, nested",
    "absent, no such column",
    "S, case-sensitive",
    "_file, no such column"
  })
  @DisplayName("C5: what cannot be indexed is refused before anything is written")
  void unsupportedColumnIsRefused(String column, String words) {
    if (!fixture.spark().catalog().tableExists("lake.db.types")) {
      create(
          "types",
          "d DOUBLE, f FLOAT, t TIMESTAMP, a DATE, b BINARY, c DECIMAL(5, 2), o BOOLEAN,"
              + " l ARRAY<STRING>, m MAP<STRING, STRING>, s STRUCT<x: STRING>",
          2,
          "");
      fixture.sql(
          "INSERT INTO lake.db.types VALUES (1, 1, now(), current_date(), X'00', 1, true,"
              + " array('a'), map('a', 'b'), named_struct('x', 'y'))");
    }
    Set<String> before = SyncFixture.files(fixture.dataFolder("types"));
    TableSyncReport report = fixture.trySync("types", HudiTarget.ofColumn(column));
    assertThat(report.hasFailed()).isTrue();
    assertThat(report.error().orElseThrow())
        .hasMessageContaining("'" + column + "'")
        .hasMessageContaining(words);
    assertThat(SyncFixture.files(fixture.dataFolder("types"))).isEqualTo(before);
    assertThat(fixture.indexFolder("types")).doesNotExist();
  }

  /** The message of a sync that fails and leaves every byte of the index as it was. */
  private static String refused(String name, String column) {
    Set<String> before = SyncFixture.files(fixture.indexFolder(name));
    TableSyncReport report = fixture.trySync(name, HudiTarget.ofColumn(column));
    assertThat(report.hasFailed()).as("%s", report).isTrue();
    assertThat(SyncFixture.files(fixture.indexFolder(name))).isEqualTo(before);
    return report.error().orElseThrow().getMessage();
  }

  private static void create(String name, String columns, int version, String clauses) {
    fixture.sql(
        "CREATE TABLE lake.db.%s (%s) USING iceberg %s TBLPROPERTIES ('format-version'='%d',"
            + " 'write.distribution-mode'='none', 'write.spark.fanout.enabled'='true',"
            + " 'write.metadata.metrics.default'='none')",
        name, columns, clauses, version);
  }
}
