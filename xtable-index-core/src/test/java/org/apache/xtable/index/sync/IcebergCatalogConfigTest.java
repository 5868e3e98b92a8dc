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
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C3: the catalog config. */
class IcebergCatalogConfigTest {
  @Test
  void everyFieldIsRead() {
    IcebergCatalogConfig config =
        parse(
            "catalogImpl: org.apache.iceberg.jdbc.JdbcCatalog",
            "catalogName: prod",
            "catalogOptions:",
            "  uri: jdbc:sqlite:file",
            "  clients: 4",
            "  jdbc.password: ''",
            "  cache-enabled: false");
    assertThat(config.catalogImpl()).contains("org.apache.iceberg.jdbc.JdbcCatalog");
    assertThat(config.catalogName()).isEqualTo("prod");
    assertThat(config.catalogOptions())
        .isEqualTo(
            Map.of(
                "uri", "jdbc:sqlite:file",
                "clients", "4",
                "jdbc.password", "",
                "cache-enabled", "false"));
  }

  @Test
  void typeStandsForTheClass() {
    IcebergCatalogConfig config = parse("catalogName: c", "catalogOptions: {type: rest}");
    assertThat(config.catalogImpl()).isEmpty();
    assertThat(config.catalogOptions()).containsEntry("type", "rest");
  }

  @Test
  void secretsAreNotPrinted() {
    assertThat(parse("catalogName: c", "catalogOptions: {type: jdbc, jdbc.password: s3cret}"))
        .asString()
        .contains("jdbc.password")
        .doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "catalogOptions: s3cret",
        "catalogOptions: *s3cret",
        "catalogOptions: {password: *s3cret}",
        "catalogOptions: {password: !s3cret!x y}",
        "catalogOptions: {password: 's3cret}",
        "catalogOptions: {password: \"s3cret\\q\"}",
        "catalogOptions: {password: s3cret: x}",
        "catalogOptions: {password: [s3cret]}",
      })
  void secretsAreNotPrintedWhereTheFileIsWrong(String options) {
    InvalidConfigException error =
        catchThrowableOfType(
            InvalidConfigException.class, () -> parse("catalogName: c", "catalogImpl: C", options));
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).contains("c.yaml").doesNotContain("s3cret");
  }

  @Test
  void everythingWrongIsSaid() {
    InvalidConfigException error =
        catchThrowableOfType(
            InvalidConfigException.class,
            () -> parse("catalogname: c", "catalogOptions:", "  a: [1]", "  b:"));
    assertThat(error.problems())
        .containsExactly(
            "line 1, column 1: catalogname is not a known key; did you mean catalogName?",
            "line 1, column 1: catalogName is missing; it must be a name for the catalog",
            "line 1, column 1: catalogImpl is missing; it must be the class of the catalog (or give"
                + " catalogOptions.type: hadoop, hive, jdbc, rest, glue or nessie)",
            "line 3, column 3: catalogOptions.a must be text, got a list",
            "line 4, column 3: catalogOptions.b must be text, got nothing");
    assertThat(error).hasMessageStartingWith("Cannot read Iceberg catalog config c.yaml: ");
  }

  private static IcebergCatalogConfig parse(String... lines) {
    return IcebergCatalogConfig.parse(String.join("\n", lines), "c.yaml");
  }
}
