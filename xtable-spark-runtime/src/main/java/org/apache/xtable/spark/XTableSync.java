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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.iceberg.IcebergTables;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.IcebergCatalogConfig;
import org.apache.xtable.index.sync.SyncSummary;
import org.apache.xtable.index.sync.TableSyncReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds and keeps the indexes of Iceberg tables, from a running Spark job:
 *
 * <pre>{@code
 * SyncSummary summary = XTableSync.create(spark).sync(DatasetConfig.parse(yaml, "orders.yaml"));
 * }</pre>
 *
 * <p>The session should use {@code org.apache.spark.serializer.KryoSerializer}. Immutable and
 * thread-safe, but two syncs of one table at once are for one of them to win.
 */
public final class XTableSync {
  private static final Logger LOG = LoggerFactory.getLogger(XTableSync.class);

  private final SparkSession spark;
  private final Optional<IcebergCatalogConfig> catalog;

  private XTableSync(SparkSession spark, Optional<IcebergCatalogConfig> catalog) {
    this.spark = Objects.requireNonNull(spark, "spark is null");
    this.catalog = catalog;
  }

  /** A sync that finds tables by path, or by name in the catalogs of the session. */
  public static XTableSync create(SparkSession spark) {
    return new XTableSync(spark, Optional.empty());
  }

  /** A sync that finds every table by name in this catalog. */
  public XTableSync withCatalog(IcebergCatalogConfig config) {
    return new XTableSync(spark, Optional.of(config));
  }

  /**
   * Syncs the tables one after the other. A table that fails does not stop the others: its report
   * says why.
   *
   * @throws org.apache.xtable.index.IndexException if there is no table to sync, a jar is missing,
   *     or the catalog cannot be opened
   */
  public SyncSummary sync(DatasetConfig config) {
    RequiredJars.check();
    List<DatasetConfig.Dataset> datasets = config.requireAny().datasets();
    return ActiveSession.run(spark, () -> syncAll(datasets));
  }

  private SyncSummary syncAll(List<DatasetConfig.Dataset> datasets) {
    if (catalog.isEmpty()) {
      return sync(datasets, TableFinder.inSession(spark));
    }
    try (IcebergTables tables = open(catalog.get())) {
      return sync(datasets, TableFinder.inCatalog(spark, tables));
    }
  }

  private IcebergTables open(IcebergCatalogConfig config) {
    return IcebergTables.ofCatalog(
        config.catalogImpl().orElse(null),
        config.catalogName(),
        config.catalogOptions(),
        spark.sessionState().newHadoopConf());
  }

  private SyncSummary sync(List<DatasetConfig.Dataset> datasets, TableFinder finder) {
    TableSync tableSync = new TableSync(spark);
    List<TableSyncReport> reports = new ArrayList<>();
    for (DatasetConfig.Dataset dataset : datasets) {
      LOG.info("Syncing {} ({} of {})", dataset, reports.size() + 1, datasets.size());
      TableSyncReport report = sync(dataset, finder, tableSync);
      report.error().ifPresent(error -> LOG.error("Cannot sync {}", dataset, error));
      LOG.info("{}", report);
      reports.add(report);
    }
    return new SyncSummary(reports);
  }

  private static TableSyncReport sync(
      DatasetConfig.Dataset dataset, TableFinder finder, TableSync tableSync) {
    long start = System.nanoTime();
    try {
      Table table = finder.find(dataset);
      return tableSync.sync(table, dataset);
    } catch (Exception e) {
      return failed(dataset, e, start);
    } catch (LinkageError e) {
      return failed(dataset, RequiredJars.unfit(e), start);
    }
  }

  private static TableSyncReport failed(
      DatasetConfig.Dataset dataset, Exception e, long startNanos) {
    return TableSyncReport.failed(
        dataset.name(), e, Duration.ofNanos(System.nanoTime() - startNanos));
  }
}
