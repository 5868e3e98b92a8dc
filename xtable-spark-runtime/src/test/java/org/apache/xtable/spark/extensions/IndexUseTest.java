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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the Spark UI and the Java API tell of a query's index (C27). */
class IndexUseTest {
  private static final String TABLE = "lake.db.t";
  private static final String QUERY = "SELECT * FROM lake.db.t WHERE k = 'k11'";

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
    lake.set(PruningSettings.ENABLED_KEY, true);
    lake.indexes().drop();
    lake.sql("DROP TABLE IF EXISTS " + TABLE);
  }

  @Test
  @DisplayName("C27: the scan of a query that ran has the figures as SQL metrics")
  void metricsOfTheScan() {
    Dataset<Row> query = lake.sql("SELECT * FROM lake.db.t WHERE k IN ('k11', 'k22')");
    query.collect();

    Used used = (Used) Lake.decision(query);
    assertThat(Lake.scanMetric(query, "indexSelectedFiles")).isEqualTo(2);
    assertThat(Lake.scanMetric(query, "indexSkippedFiles")).isEqualTo(6);
    assertThat(Lake.scanMetric(query, "indexSelectedRowGroups")).isEqualTo(2);
    assertThat(Lake.scanMetric(query, "indexSkippedRowGroups")).isEqualTo(6);
    assertThat(Lake.scanMetric(query, "indexSelectedBytes")).isEqualTo(used.selected().bytes());
    assertThat(Lake.scanMetric(query, "indexSkippedBytes"))
        .isEqualTo(used.candidates().bytes() - used.selected().bytes())
        .isPositive();
    assertThat(Lake.scanMetric(query, "indexKeys")).isEqualTo(2);
    assertThat(Lake.scanMetric(query, "indexLookupMillis")).isNotNegative();
    assertThat(Lake.scanMetric(query, "resultDataFiles")).as("Iceberg's own").isEqualTo(8);
  }

  @Test
  @DisplayName("C27: the Spark UI can add the metrics up by their class alone")
  void sparkUiAddsMetricsUp() throws Exception {
    IndexMetric metric = IndexMetric.class.getConstructor().newInstance();
    assertThat(metric.aggregateTaskMetrics(new long[] {3, 4})).isEqualTo("7");
  }

  @Test
  @DisplayName("C27: explain tells of each scan, in subqueries too, without running the query")
  void explainTellsOfEachScan() {
    List<IndexUse> uses =
        XTableIndexes.explain(
            lake.sql(
                "SELECT a.id FROM lake.db.t a JOIN lake.db.t b ON a.id = b.id WHERE a.k = 'k11'"
                    + " AND b.n = 11 AND a.id > (SELECT min(id) FROM lake.db.t WHERE id > 3)"));

    assertThat(uses).extracting(IndexUse::table).containsOnly("lake.db.t");
    assertThat(uses).filteredOn(IndexUse::isUsed).singleElement().satisfies(this::isOfOneFile);
    assertThat(uses)
        .filteredOn(use -> !use.isUsed())
        .extracting(use -> use.reasonCode().orElseThrow())
        .contains("OTHER_COLUMN", "NO_KEYS");
  }

  private void isOfOneFile(IndexUse use) {
    assertThat(use.explanation()).startsWith("used, 1 of 8 files");
    assertThat(use.reasonCode()).isEmpty();
  }

  @Test
  @DisplayName("C27: explain tells why not, also where log and EXPLAIN are silent")
  void explainTellsWhyNot() throws Exception {
    assertThat(code("SELECT * FROM lake.db.t")).containsExactly("NO_KEYS");
    assertThat(code("SELECT * FROM lake.db.t WHERE k > 'k1'")).containsExactly("NO_KEYS");
    assertThat(code("SELECT * FROM lake.db.t.files")).isEmpty();
    assertThat(code("SELECT count(*) FROM lake.db.t")).isEmpty();
    lake.set(PruningSettings.ENABLED_KEY, false);
    assertThat(code(QUERY)).containsExactly("TURNED_OFF");
    lake.set(PruningSettings.ENABLED_KEY, true);
    lake.append(TABLE, 80, 81, 1);
    assertThat(code(QUERY)).containsExactly("STALE");
    lake.indexes().failFind(() -> new IndexException("damaged"));
    assertThat(XTableIndexes.explain(lake.sql(QUERY)))
        .singleElement()
        .satisfies(use -> assertThat(use.cause()).get().asString().contains("damaged"));
    lake.indexes().failFind(null);
    lake.indexes().drop();
    assertThat(code(QUERY)).containsExactly("NO_INDEX");
  }

  private static List<String> code(String sql) {
    return XTableIndexes.explain(lake.sql(sql)).stream()
        .map(use -> use.reasonCode().orElse("used"))
        .collect(Collectors.toList());
  }

  @Test
  @DisplayName("C25, C27: explain fails as the query would")
  void explainFailsAsTheQueryWould() {
    lake.sql("ALTER TABLE lake.db.t RENAME COLUMN k TO key");
    Dataset<Row> query = lake.sql("SELECT * FROM lake.db.t WHERE key = 'k11'");
    assertThatThrownBy(() -> XTableIndexes.explain(query)).isInstanceOf(IndexException.class);
  }

  @Test
  @DisplayName("Each reason is explained on the page about them, and no other")
  void pageExplainsEachReason() throws Exception {
    List<String> codes =
        Files.readAllLines(Path.of("../docs/when-the-index-is-not-used.md")).stream()
            .filter(line -> line.matches("\\| `[A-Z_]+` \\|.*"))
            .map(line -> line.substring(3, line.indexOf('`', 3)))
            .collect(Collectors.toList());
    assertThat(codes)
        .containsExactlyInAnyOrderElementsOf(
            List.of(NotUsedReason.values()).stream().map(Enum::name).collect(Collectors.toList()));
  }
}
