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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.iceberg.IcebergTables;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.IcebergCatalogConfig;
import org.apache.xtable.index.sync.SyncSummary;
import org.apache.xtable.index.sync.TableSyncReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C3: a dataset's table by path, through a catalog, or by its Spark identifier. */
class TableFinderTest {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.optional(1, "c", Types.StringType.get()));

  @TempDir static Path folder;
  private static SparkSession spark;
  private static Table byPath;
  private static Table named;

  @BeforeAll
  static void createTables() throws java.io.IOException {
    spark = LocalSpark.start().newSession();
    Configuration conf = new Configuration();
    byPath =
        new HadoopTables(conf)
            .create(SCHEMA, PartitionSpec.unpartitioned(), folder.resolve("p") + "/t");
    try (HadoopCatalog catalog = new HadoopCatalog(conf, folder.resolve("w").toString())) {
      named = catalog.createTable(TableIdentifier.of("my-db", "sub", "a t"), SCHEMA);
    }
    spark.conf().set("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog");
    spark.conf().set("spark.sql.catalog.lake.type", "hadoop");
    spark.conf().set("spark.sql.catalog.lake.warehouse", folder.resolve("w").toString());
  }

  @AfterAll
  static void stopSpark() {
    spark.stop();
  }

  @Test
  void byPath() {
    Table found = inSession("tableBasePath: " + folder.resolve("p/t"), "tableName: any");
    assertThat(found.uuid()).isEqualTo(byPath.uuid());
  }

  @Test
  void bySparkIdentifierAtItsNewestState() {
    Table first = inSession("namespace: lake.my-db.sub", "tableName: a t");
    assertThat(first.uuid()).isEqualTo(named.uuid());
    named.updateProperties().set("k", "v").commit();
    assertThat(inSession("namespace: lake.my-db.sub", "tableName: a t").properties())
        .containsEntry("k", "v");
  }

  @Test
  void sessionOfTheSyncNeedNotBeTheActiveOne() {
    SparkSession.setActiveSession(spark.newSession());
    SyncSummary summary =
        XTableSync.create(spark)
            .sync(DatasetConfig.of(dataset("namespace: lake.my-db.sub", "tableName: a t")));
    assertThat(summary.reports().get(0).error().orElse(null))
        .as("the table is found and synced")
        .isNull();
  }

  @Test
  void byWholeSparkIdentifier() {
    assertThat(inSession("namespace: ''", "tableName: 'lake.`my-db`.sub.`a t`'").uuid())
        .isEqualTo(named.uuid());
  }

  @Test
  void throughACatalogEvenIfAPathIsGiven() {
    Map<String, String> options = Map.of("type", "hadoop", "warehouse", folder.resolve("w") + "");
    try (IcebergTables catalog = IcebergTables.ofCatalog(null, "c", options, new Configuration())) {
      Table found =
          TableFinder.inCatalog(spark, catalog)
              .find(dataset("tableBasePath: /other", "namespace: my-db.sub", "tableName: a t"));
      assertThat(found.uuid()).isEqualTo(named.uuid());
    }
  }

  @Test
  void missingTableIsNamedByPathAndByName() {
    assertThatThrownBy(() -> inSession("tableBasePath: /none/t", "tableName: x"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("/none/t");
    assertThatThrownBy(() -> inSession("namespace: lake.my-db", "tableName: x"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("`lake`.`my-db`.`x`");
    assertThatThrownBy(
            () -> inSession("tableBasePath: /none/t", "namespace: lake.my-db", "tableName: x"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("/none/t")
        .hasMessageContaining("`lake`.`my-db`.`x`");
    assertThatThrownBy(
            () ->
                inSession("tableBasePath: /none/t", "namespace: lake.my-db.sub", "tableName: a t"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("/none/t")
        .hasMessageContaining(named.location());
  }

  /** As built for another version of Iceberg. */
  public static final class UnfitCatalog extends HadoopCatalog {
    @Override
    public Table loadTable(TableIdentifier table) {
      throw new NoSuchMethodError("org.apache.iceberg.Table.ofOtherVersion()");
    }
  }

  @Test
  void jarsThatDoNotFitFailOneTableWithOneMessage() {
    IcebergCatalogConfig unfit =
        IcebergCatalogConfig.parse(
            String.join(
                "\n",
                "catalogImpl: " + UnfitCatalog.class.getName(),
                "catalogName: c",
                "catalogOptions: {warehouse: '" + folder.resolve("w") + "'}"),
            "catalog.yaml");
    TableSyncReport report =
        XTableSync.create(spark)
            .withCatalog(unfit)
            .sync(DatasetConfig.of(dataset("namespace: my-db.sub", "tableName: a t")))
            .reports()
            .get(0);
    assertThat(report.error().orElseThrow())
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith("The jars do not fit together: ")
        .hasMessageContaining("Hudi Spark bundle")
        .hasMessageEndingWith("org.apache.iceberg.Table.ofOtherVersion()");
  }

  @Test
  void metadataTableIsRefused() {
    assertThatThrownBy(
            () -> inSession("namespace: ''", "tableName: 'lake.`my-db`.sub.`a t`.files'"))
        .isInstanceOf(IndexException.class);
  }

  @Test
  void dataPathOfTheDatasetMustBeTheTables() {
    String base = "tableBasePath: " + folder.resolve("p/t");
    String data = "tableDataPath: ";
    assertThat(inSession(base, data + folder.resolve("p/t/data/"), "tableName: t")).isNotNull();
    assertThat(inSession(base, data + "file://" + folder.resolve("p/t/data"), "tableName: t"))
        .isNotNull();
    assertThatThrownBy(() -> inSession(base, data + folder.resolve("p/t"), "tableName: t"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("tableDataPath is " + folder.resolve("p/t"))
        .hasMessageContaining("/p/t/data; correct it or leave it out");
  }

  private static Table inSession(String... lines) {
    DatasetConfig.Dataset dataset = dataset(lines);
    return ActiveSession.run(spark, () -> TableFinder.inSession(spark).find(dataset));
  }

  private static DatasetConfig.Dataset dataset(String... lines) {
    String yaml =
        "sourceFormat: ICEBERG\ntargetFormats: [HUDI]\n"
            + "targetProperties: {HUDI: {xtable.hudi.target.secondary.index.column: c}}\n"
            + "datasets:\n  - "
            + String.join("\n    ", lines);
    return DatasetConfig.parse(yaml, "test").datasets().get(0);
  }
}
