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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.spark.source.ScanProbe;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.SecondaryIndexes;
import org.apache.xtable.index.iceberg.TableDataPath;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.SyncSummary;
import org.apache.xtable.spark.XTableSync;
import org.apache.xtable.spark.extensions.PruningDecision.NotUsed;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import scala.Function1;
import scala.collection.JavaConverters;
import scala.runtime.BoxedUnit;

/**
 * A Spark session with both extensions, an Iceberg Hadoop catalog {@code lake}, a catalog {@code
 * views} that has views too, and indexes that a test makes; pruning even scans of one file.
 */
final class Lake implements AutoCloseable {
  private static final String EXTENSIONS =
      "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions";

  private final OracleIndexes indexes;
  private final Path folder;
  private final SparkSession spark;

  Lake(Path folder) {
    this(folder, new OracleIndexes());
  }

  private Lake(Path folder, OracleIndexes indexes) {
    this(folder, indexes, new XTableSparkSessionExtensions(conf -> indexes));
  }

  /** A lake whose indexes are stored by syncs. */
  static Lake stored(Path folder, Function<Configuration, SecondaryIndexes> opener) {
    return new Lake(folder, new OracleIndexes(), new XTableSparkSessionExtensions(opener));
  }

  /**
   * @param extension that of the session
   */
  Lake(Path folder, OracleIndexes indexes, Function1<SparkSessionExtensions, BoxedUnit> extension) {
    this.folder = folder;
    this.indexes = indexes;
    this.spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("xtable-index-test")
            .config("spark.ui.enabled", false)
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.sql.warehouse.dir", folder.resolve("spark-warehouse").toString())
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar")
            .config("spark.sql.extensions", EXTENSIONS)
            .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog.lake.type", "hadoop")
            .config("spark.sql.catalog.lake.warehouse", folder.resolve("lake").toString())
            .config("spark.sql.catalog.views", "org.apache.iceberg.spark.SparkCatalog")
            .config(
                "spark.sql.catalog.views.catalog-impl",
                "org.apache.iceberg.inmemory.InMemoryCatalog")
            .config("spark.sql.catalog.views.warehouse", folder.resolve("views").toString())
            // Iceberg's catalog for tables that are read by their path
            .config("spark.sql.catalog.default_iceberg", "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog.default_iceberg.type", "hadoop")
            .config(
                "spark.sql.catalog.default_iceberg.warehouse", folder.resolve("lake").toString())
            .config(PruningSettings.MIN_CANDIDATE_FILES_KEY, 1)
            // registered twice on purpose: it must do no harm
            .withExtensions(extension)
            .withExtensions(extension)
            .getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
  }

  SparkSession spark() {
    return spark;
  }

  OracleIndexes indexes() {
    return indexes;
  }

  Path folder() {
    return folder;
  }

  /**
   * A table of 8 files with 10 rows each and no min/max metrics, so that Iceberg itself prunes
   * nothing. In row {@code i} of 0 to 79: {@code id} bigint and {@code n} int are i, {@code k} is
   * {@code k<i>}, but {@code dup} in rows 5 and 35 and null in row 7; {@code p} is i modulo 3.
   */
  void createTable(String name) throws Exception {
    createTable(name, "");
  }

  void createTable(String name, String clauses) throws Exception {
    spark.sql(
        "CREATE TABLE "
            + name
            + " (id BIGINT, n INT, k STRING, p INT) USING iceberg "
            + clauses
            + " TBLPROPERTIES ('write.metadata.metrics.default'='none',"
            + " 'write.distribution-mode'='none')");
    append(name, 0, 80, 8);
  }

  void append(String name, long from, long to, int files) throws Exception {
    spark
        .range(from, to, 1, files)
        .selectExpr(
            "id",
            "CAST(id AS INT) AS n",
            "CASE WHEN id IN (5, 35) THEN 'dup' WHEN id = 7 THEN NULL ELSE concat('k', id) END AS k",
            "CAST(id % 3 AS INT) AS p")
        .writeTo(name)
        .append();
  }

  void sync(String name, String column) throws Exception {
    indexes.sync(spark, name, column);
  }

  /** Syncs an index into storage. */
  void store(String name, String column) {
    SyncSummary summary =
        XTableSync.create(spark)
            .sync(
                DatasetConfig.of(
                    DatasetConfig.Dataset.atPath(
                        table(name).location(), name, HudiTarget.ofColumn(column))));
    assertThat(summary.reports())
        .as("sync of " + name)
        .allSatisfy(report -> assertThat(report.error()).isEmpty());
  }

  Table table(String name) {
    try {
      spark.sql("REFRESH TABLE " + name);
      return Spark3Util.loadIcebergTable(spark, name);
    } catch (Exception e) {
      throw new IllegalStateException("Cannot load " + name, e);
    }
  }

  String dataPath(String name) {
    return TableDataPath.of(table(name)).location();
  }

  /** Where the stored index of a table is. */
  Path indexFolder(String name) {
    return Path.of(dataPath(name).replaceFirst("^file:(//)?", "")).resolve(DataPath.INDEX_FOLDER);
  }

  void set(String key, Object value) {
    spark.conf().set(key, value.toString());
  }

  Dataset<Row> sql(String sql) {
    return spark.sql(sql);
  }

  /** Runs with pruning turned off. */
  List<String> rowsWithoutIndex(String sql) {
    set(PruningSettings.ENABLED_KEY, false);
    try {
      return rows(sql(sql));
    } finally {
      set(PruningSettings.ENABLED_KEY, true);
    }
  }

  /** The rows as text, in order of the text. */
  static List<String> rows(Dataset<Row> query) {
    return query.collectAsList().stream().map(Row::toString).sorted().collect(Collectors.toList());
  }

  /** The scans of Iceberg tables in the plan of a query, those of subqueries not included. */
  static List<Scan> scans(Dataset<Row> query) {
    List<Scan> scans = new ArrayList<>();
    for (SparkPlan leaf :
        JavaConverters.seqAsJavaList(query.queryExecution().sparkPlan().collectLeaves())) {
      if (leaf instanceof BatchScanExec) {
        scans.add(((BatchScanExec) leaf).scan());
      }
    }
    return scans;
  }

  static Scan onlyScan(Dataset<Row> query) {
    List<Scan> scans = scans(query);
    assertThat(scans).as("scans in the plan of the query").hasSize(1);
    return scans.get(0);
  }

  /** The files that the only scan of a query reads. */
  static Set<String> files(Dataset<Row> query) {
    return new TreeSet<>(ScanProbe.files(onlyScan(query)));
  }

  /** The decision about the only scan of a query; it must be one that could be pruned. */
  static PruningDecision decision(Dataset<Row> query) {
    return decision(onlyScan(query));
  }

  static PruningDecision decision(Scan scan) {
    return ((IndexScanPruner.Selection) ScanProbe.pruned(scan).orElseThrow()).decision();
  }

  /** A metric of the only scan of a query that ran. */
  static long scanMetric(Dataset<Row> query, String name) {
    SparkPlan plan = query.queryExecution().executedPlan();
    if (plan instanceof AdaptiveSparkPlanExec) {
      plan = ((AdaptiveSparkPlanExec) plan).executedPlan();
    }
    List<SparkPlan> scans = new ArrayList<>();
    for (SparkPlan leaf : JavaConverters.seqAsJavaList(plan.collectLeaves())) {
      if (leaf instanceof BatchScanExec) {
        scans.add(leaf);
      }
    }
    assertThat(scans).as("scans in the executed plan").hasSize(1);
    return scans.get(0).metrics().apply(name).value();
  }

  /** The same rows as without index, of so many files of so many candidates. */
  void assertPruned(String sql, int selected, int candidates) {
    List<String> expected = rowsWithoutIndex(sql);
    Dataset<Row> query = sql(sql);
    assertThat(decision(query)).as(sql).isInstanceOf(Used.class);
    Used used = (Used) decision(query);
    assertThat(used.candidates().files()).as("candidate files of " + sql).isEqualTo(candidates);
    assertThat(used.selected().files()).as("selected files of " + sql).isEqualTo(selected);
    assertThat(files(query)).as("files read by " + sql).hasSize(selected);
    assertThat(rows(query)).as(sql).isEqualTo(expected);
  }

  /** The same rows as without index, of all candidate files, for a reason. */
  NotUsed assertNotPruned(String sql, NotUsedReason reason, int candidates) {
    List<String> expected = rowsWithoutIndex(sql);
    Dataset<Row> query = sql(sql);
    assertThat(decision(query)).as(sql).isInstanceOf(NotUsed.class);
    NotUsed notUsed = (NotUsed) decision(query);
    assertThat(notUsed.reason()).as(sql).isEqualTo(reason);
    assertThat(files(query)).as("files read by " + sql).hasSize(candidates);
    assertThat(rows(query)).as(sql).isEqualTo(expected);
    return notUsed;
  }

  @Override
  public void close() {
    spark.stop();
  }
}
