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
package org.apache.xtable.index.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.apache.xtable.index.IndexException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** C1, C2: the dataset config, and one clear error with its place for everything wrong in it. */
class DatasetConfigTest {
  private static final String HEAD = "sourceFormat: ICEBERG\ntargetFormats: [HUDI]\ndatasets:\n";
  private static final String COLUMN = "xtable.hudi.target.secondary.index.column";
  private static final String MIN = "xtable.hudi.target.metadata.record.index.min.filegroup.count";
  private static final String MAX = "xtable.hudi.target.metadata.record.index.max.filegroup.count";
  private static final String PARALLELISM =
      "xtable.hudi.target.metadata.index.secondary.parallelism";

  @Test
  void everyFieldIsRead() {
    DatasetConfig config =
        parse(
            "sourceFormat: ICEBERG",
            "targetFormats:",
            "  - HUDI",
            "datasets:",
            "  -",
            "    tableBasePath: s3://b/db/orders",
            "    tableDataPath: s3://b/db/orders/data",
            "    tableName: orders",
            "    namespace: my.db",
            "    targetProperties:",
            "      HUDI:",
            "        xtable.hudi.target.table_version: 9",
            "        xtable.hudi.target.execution.engine: spark",
            "        " + COLUMN + ": customer",
            "        " + MIN + ": 4",
            "        " + MAX + ": '8'",
            "        " + PARALLELISM + ": \"16\"");
    DatasetConfig.Dataset dataset = config.datasets().get(0);
    assertThat(dataset.tableBasePath()).contains("s3://b/db/orders");
    assertThat(dataset.tableDataPath()).contains("s3://b/db/orders/data");
    assertThat(dataset.tableName()).isEqualTo("orders");
    assertThat(dataset.namespace()).contains("my.db");
    assertThat(dataset.name()).isEqualTo("my.db.orders");
    assertThat(dataset.target())
        .isEqualTo(HudiTarget.ofColumn("customer").withFileGroups(4, 8).withParallelism(16));
  }

  @Test
  void onlyTheColumnIsNeededOfTheSettings() {
    HudiTarget target = target(COLUMN + ": c");
    assertThat(target).isEqualTo(HudiTarget.ofColumn("c"));
    assertThat(target.minFileGroups()).isEqualTo(HudiTarget.DEFAULT_MIN_FILE_GROUPS);
    assertThat(target.maxFileGroups()).isEqualTo(HudiTarget.DEFAULT_MAX_FILE_GROUPS);
    assertThat(target.parallelism()).isEqualTo(HudiTarget.DEFAULT_PARALLELISM);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HUDI: {xtable.hudi.target.secondary.index.column: c}",
        "HUDI: {xtable: {hudi: {target: {secondary: {index: {column: c}}}}}}",
        "HUDI: {xtable.hudi: {target.secondary.index: {column: c}}}",
        "HUDI.xtable.hudi.target.secondary.index.column: c",
        "hudi: {xtable.hudi.target.secondary.index.column: c}"
      })
  void settingsMayBeDottedOrNested(String properties) {
    String yaml =
        HEAD
            + "  - tableBasePath: /t\n    tableName: t\n    targetProperties:\n      "
            + properties
            + "\n";
    assertThat(DatasetConfig.parse(yaml, "f").datasets().get(0).target().column()).isEqualTo("c");
  }

  @Test
  void settingsMayBeSharedByDatasetsThatHaveNone() {
    DatasetConfig config =
        parse(
            "sourceFormat: iceberg",
            "targetFormats: [hudi]",
            "targetProperties: {HUDI: {" + COLUMN + ": shared}}",
            "datasets:",
            "  - {tableBasePath: /a, tableName: a}",
            "  - {tableBasePath: /b, tableName: b, targetProperties: {HUDI: {"
                + COLUMN
                + ": own}}}");
    assertThat(config.datasets())
        .extracting(dataset -> dataset.target().column())
        .containsExactly("shared", "own");
  }

  @Test
  void tableMayBeFoundByNameOnly() {
    DatasetConfig config =
        parse(
            HEAD
                + "  - {tableName: t, namespace: cat.db, targetProperties: {HUDI: {"
                + COLUMN
                + ": c}}}");
    assertThat(config.datasets().get(0).tableBasePath()).isEmpty();
    assertThat(config.datasets().get(0).name()).isEqualTo("cat.db.t");
  }

  @Test
  void emptyNamespaceIsTheRoot() {
    DatasetConfig config =
        parse(
            HEAD
                + "  - {tableName: t, namespace: '', targetProperties: {HUDI: {"
                + COLUMN
                + ": c}}}");
    assertThat(config.datasets().get(0).namespace()).contains("");
    assertThat(config.datasets().get(0).name()).isEqualTo("t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "2024.10", "0x1F", "007", "'a.b'", "'  c '", "数"})
  void namesAreTakenAsTheyAreWritten(String written) {
    String name = written.replace("'", "");
    assertThat(target(COLUMN + ": " + written).column()).isEqualTo(name);
  }

  @Test
  void allProblemsAreSaidAtOnceInTheOrderOfTheFile() {
    InvalidConfigException error =
        refused(
            "sourceFormat: DELTA",
            "targetFormats: [HUDI, PAIMON]",
            "datasets:",
            "  - tableName: t",
            "    tablebasePath: /t",
            "    targetProperties:",
            "      HUDI:",
            "        xtable.hudi.target.table_version: 8",
            "        " + PARALLELISM + ": 0");
    assertThat(error.problems())
        .containsExactly(
            "line 1, column 15: sourceFormat names the format 'DELTA'; allowed: ICEBERG",
            "line 2, column 23: targetFormats names the format 'PAIMON'; allowed: HUDI",
            "line 4, column 5: datasets[0].tableBasePath is missing; it must be the table's folder"
                + " (or give namespace, to find the table through a catalog)",
            "line 4, column 5: datasets[0].targetProperties.HUDI."
                + COLUMN
                + " is missing; it must be the name of the column to index",
            "line 5, column 5: datasets[0].tablebasePath is not a known key; did you mean"
                + " tableBasePath or tableDataPath?",
            "line 8, column 43: datasets[0].targetProperties.HUDI.xtable.hudi.target.table_version"
                + " is '8'; allowed: 9",
            "line 9, column 66: datasets[0].targetProperties.HUDI."
                + PARALLELISM
                + " is '0'; allowed: a whole number from 1 to 2147483647");
    assertThat(error)
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith("Cannot read dataset config f.yaml: 7 problems\n  - line 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0", "0", "-1", "many", "1_000", "99999999999", "1e3"})
  void countsAreWholeNumbersFromOne(String count) {
    for (String setting : List.of(MIN, MAX, PARALLELISM)) {
      for (String quote : List.of("", "'")) {
        assertThat(refusedTarget(COLUMN + ": c", setting + ": " + quote + count + quote).problems())
            .singleElement()
            .asString()
            .startsWith("line 9, column ")
            .endsWith(
                setting + " is '" + count + "'; allowed: a whole number from 1 to 2147483647");
      }
    }
  }

  @Test
  void minMustNotExceedMax() {
    assertThat(refusedTarget(COLUMN + ": c", MIN + ": 5", MAX + ": 4").problems())
        .singleElement()
        .asString()
        .startsWith("line 9, column 9: ")
        .contains(MIN + " is 5")
        .contains(MAX + " is 4");
    assertThat(refusedTarget(COLUMN + ": c", MIN + ": 20000").problems())
        .singleElement()
        .asString()
        .contains(MAX + " is 10000")
        .contains("defaults: 1 and 10000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"8", "'10'", "nine", "[9]", "{v: 9}", ""})
  void tableVersionIsNine(String version) {
    assertThat(refusedTarget(COLUMN + ": c", "xtable.hudi.target.table_version: " + version))
        .hasMessageContaining("xtable.hudi.target.table_version")
        .hasMessageContaining("line 9, ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9", "'9'", "\"9\""})
  void tableVersionNineMayBeQuoted(String version) {
    assertThat(target(COLUMN + ": c", "xtable.hudi.target.table_version: " + version)).isNotNull();
  }

  @Test
  void executionEngineIsSpark() {
    assertThat(refusedTarget(COLUMN + ": c", "xtable.hudi.target.execution.engine: flink"))
        .hasMessageEndingWith("xtable.hudi.target.execution.engine is 'flink'; allowed: spark");
  }

  @Test
  void unknownSettingIsAnsweredWithTheNearest() {
    assertThat(refusedTarget(COLUMN + ": c", "xtable.hudi.target.execution.engin: spark"))
        .hasMessageContaining("line 9, column 9: ")
        .hasMessageEndingWith(
            "xtable.hudi.target.execution.engin is not a known key; did you mean"
                + " xtable.hudi.target.execution.engine?");
    assertThat(refusedTarget(COLUMN + ": c", "other: 1"))
        .hasMessageContaining("other is not a known key; known are " + COLUMN);
  }

  @Test
  void settingsOfOtherTargetsAreRefused() {
    assertThat(
            refused(
                HEAD
                    + "  - {tableBasePath: /t, tableName: t, targetProperties: {DELTA: {a: b}, HUDI: {"
                    + COLUMN
                    + ": c}}}"))
        .hasMessageContaining("DELTA is not a supported target; allowed: HUDI");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[a]", "{a: b}", "''", "", "~"})
  void columnIsText(String column) {
    assertThat(refusedTarget(COLUMN + ": " + column))
        .hasMessageContaining("line 8, ")
        .hasMessageContaining("secondary.index.column");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tableName: [t]", "tableName: {a: b}", "tableName: ''", "tableName:", "x: y"})
  void tableNameIsText(String line) {
    assertThat(
            refused(
                HEAD + "  - tableBasePath: /t",
                "    " + line,
                "    targetProperties: {HUDI: {" + COLUMN + ": c}}"))
        .hasMessageContaining("datasets[0].tableName");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "datasets: {a: b}    | datasets must be a list of tables, got a map",
        "datasets: text      | datasets must be a list of tables, got 'text'",
        "datasets: []        | datasets must be a list of tables, got an empty list",
        "datasets:           | datasets has no value; it must be a list of tables",
        "datasets: [text]    | datasets[0] must be a map, got text",
        "datasets: [[a]]     | datasets[0] must be a map, got a list",
        "datasets: [~]       | datasets[0] must be a map, got nothing",
        "other: 1            | datasets is missing; it must be a list of tables",
      })
  void datasetsAreAListOfMaps(String line, String problem) {
    assertThat(refused("sourceFormat: ICEBERG", "targetFormats: [HUDI]", line))
        .hasMessageContaining(problem)
        .hasMessageContaining("line ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "targetFormats: HUDI   | targetFormats must be a list of formats, [HUDI], got 'HUDI'",
        "targetFormats: []     | targetFormats must be a list of formats, [HUDI], got an empty list",
        "targetFormats: [[a]]  | targetFormats names the format a list; allowed: HUDI",
        "targetFormats: [~]    | targetFormats names the format nothing; allowed: HUDI",
        "sourceFormat: HUDI    | sourceFormat",
      })
  void formatsAreChecked(String line, String problem) {
    assertThat(refused(line)).hasMessageContaining(problem);
  }

  @Test
  void duplicateKeysAreRefused() {
    assertThat(refusedTarget(COLUMN + ": a", COLUMN + ": b"))
        .hasMessageContaining("line 9, column 9: ")
        .hasMessageEndingWith(COLUMN + " is given twice, first at line 8");
    assertThat(
            refusedTarget(
                COLUMN + ": a", "xtable: {hudi: {target: {secondary: {index: {column: b}}}}}"))
        .hasMessageEndingWith("is given twice, dotted and nested");
    assertThat(refused("sourceFormat: ICEBERG", "sourceFormat: ICEBERG"))
        .hasMessageContaining("line 2, column 1: sourceFormat is given twice, first at line 1");
  }

  @Test
  void duplicateTablesAreRefused() {
    String target = ", targetProperties: {HUDI: {" + COLUMN + ": c}}}";
    assertThat(
            refused(
                HEAD + "  - {tableName: a, tableBasePath: s3://b/t/" + target,
                "  - {tableName: b, tableBasePath: s3a://b/t" + target))
        .hasMessageContaining(
            "line 5, column 5: datasets[1] is the table s3a://b/t again, which already stands at"
                + " line 4; a table has one index");
    assertThat(
            refused(
                HEAD + "  - {tableName: t, namespace: db" + target,
                "  - {tableName: t, namespace: db" + target))
        .hasMessageContaining("datasets[1] is the table db.t again");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n", "# only a comment\n", "---\n", "~"})
  void emptyFileIsSaidToBeEmpty(String yaml) {
    assertThat(refused(yaml)).hasMessage("Cannot read dataset config f.yaml: the file is empty");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"- a       | the file must be a map, got a list", "text | must be a map, got text"})
  void fileMustHoldAMap(String yaml, String problem) {
    assertThat(refused(yaml))
        .hasMessageContaining("line 1, column 1: ")
        .hasMessageEndingWith(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: [", "a: b: c", "a: 1\n\tb: 2", "a: 1\n---\nb: 2", "a: *none"})
  void textThatIsNoYamlIsRefusedWithItsPlace(String yaml) {
    assertThat(refused(yaml))
        .hasMessageContaining("line ")
        .hasMessageContaining("not valid YAML: ");
  }

  @Test
  void tagsConstructNothing() {
    assertThat(refused("!!javax.script.ScriptEngineManager [!!java.net.URL [\"http://x\"]]"))
        .hasMessageContaining("line 1, column 1: not valid YAML: Global tag is not allowed");
  }

  @Test
  void anchorsMayBeUsedButNotAsABomb() {
    assertThat(
            parse(
                    HEAD
                        + "  - {tableName: a, tableBasePath: /a, targetProperties: &p {HUDI: {"
                        + COLUMN
                        + ": c}}}",
                    "  - {tableName: b, tableBasePath: /b, targetProperties: *p}")
                .datasets())
        .extracting(dataset -> dataset.target().column())
        .containsExactly("c", "c");

    StringBuilder bomb = new StringBuilder("a0: &a0 {x: y}\n");
    for (int i = 1; i < 60; i++) {
      bomb.append(String.format("a%d: &a%d {l: *a%d, r: *a%d}%n", i, i, i - 1, i - 1));
    }
    assertThat(refused(bomb.toString())).hasMessageContaining("not valid YAML");
    assertThat(refusedTarget(COLUMN + ": c", "xtable: &r {loop: *r}"))
        .hasMessageContaining("is nested too deeply");
  }

  @Test
  void aliasesThatMultiplyInsideTheSettingsEndSoon() {
    StringBuilder yaml = new StringBuilder("sourceFormat: ICEBERG\ntargetFormats: [HUDI]\n");
    yaml.append("targetProperties:\n  HUDI:\n    a0: &a0 {x: y}\n");
    for (int i = 1; i <= 20; i++) {
      yaml.append(String.format("    a%d: &a%d {l: *a%d, r: *a%d}%n", i, i, i - 1, i - 1));
    }
    assertThat(refused(yaml.toString())).isNotNull();
  }

  @Test
  void mergeKeysAreRefusedWithAnAnswer() {
    assertThat(refused("a: &a {b: c}", "<<: *a"))
        .hasMessageContaining("line 2, column 1: merge keys (<<) are not supported");
  }

  @Test
  void hugeAndDeepFilesAreRefused() {
    assertThat(refused("a: " + "x".repeat(2_000_000))).hasMessageContaining("not valid YAML");
    assertThat(refused("a: " + "[".repeat(10_000))).hasMessageContaining("not valid YAML");
  }

  @Test
  void settingsMadeInCodeAreCheckedToo() {
    assertThatThrownBy(() -> HudiTarget.ofColumn("c").withFileGroups(3, 2))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("1 <= min <= max but got 3 and 2");
    assertThatThrownBy(() -> HudiTarget.ofColumn("c").withParallelism(0))
        .isInstanceOf(IndexException.class);
    assertThatThrownBy(() -> DatasetConfig.of().requireAny())
        .hasMessage("Cannot sync: the dataset config names no table");
  }

  private static HudiTarget target(String... settings) {
    return parse(withSettings(settings)).datasets().get(0).target();
  }

  private static InvalidConfigException refusedTarget(String... settings) {
    return refused(withSettings(settings));
  }

  /** The settings start at line 8, column 9. */
  private static String withSettings(String... settings) {
    StringBuilder yaml =
        new StringBuilder(HEAD)
            .append("  - tableBasePath: /t\n    tableName: t\n")
            .append("    targetProperties:\n      HUDI:\n");
    for (String setting : settings) {
      yaml.append("        ").append(setting).append('\n');
    }
    return yaml.toString();
  }

  private static DatasetConfig parse(String... lines) {
    return DatasetConfig.parse(String.join("\n", lines), "f.yaml");
  }

  private static InvalidConfigException refused(String... lines) {
    return catchThrowableOfType(InvalidConfigException.class, () -> parse(lines));
  }
}
