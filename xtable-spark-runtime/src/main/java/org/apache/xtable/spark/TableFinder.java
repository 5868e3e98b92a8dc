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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.iceberg.IcebergTables;
import org.apache.xtable.index.iceberg.NoTableException;
import org.apache.xtable.index.iceberg.TableDataPath;
import org.apache.xtable.index.sync.DatasetConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the table of a dataset: in the catalog of {@code --icebergCatalogConfig} if there is one,
 * else by its path, else by its name in the session's catalogs.
 */
final class TableFinder {
  private static final Logger LOG = LoggerFactory.getLogger(TableFinder.class);

  private final SparkSession spark;
  private final Configuration hadoopConf;
  private final IcebergTables catalog;

  private TableFinder(SparkSession spark, IcebergTables catalog) {
    this.spark = spark;
    this.hadoopConf = spark.sessionState().newHadoopConf();
    this.catalog = catalog;
  }

  static TableFinder inSession(SparkSession spark) {
    return new TableFinder(spark, null);
  }

  static TableFinder inCatalog(SparkSession spark, IcebergTables catalog) {
    return new TableFinder(spark, catalog);
  }

  /**
   * The table, at its newest snapshot.
   *
   * @throws IndexException if it is not found, or keeps its data files elsewhere than the dataset
   *     says
   */
  Table find(DatasetConfig.Dataset dataset) {
    Table table = IcebergTables.requireData(load(dataset));
    // A session's catalog may have handed out a cached table.
    table.refresh();
    requireDataPath(dataset, table);
    return table;
  }

  private Table load(DatasetConfig.Dataset dataset) {
    if (catalog != null) {
      Table table = catalog.load(dataset.namespace().orElse(""), dataset.tableName());
      dataset
          .tableBasePath()
          .filter(path -> !isSamePlace(path, table.location()))
          .ifPresent(
              path ->
                  LOG.warn(
                      "The catalog has table {} at {}, not at tableBasePath {}; it is indexed there",
                      table.name(),
                      table.location(),
                      path));
      return table;
    }
    return dataset
        .tableBasePath()
        .map(path -> loadAt(path, dataset))
        .orElseGet(() -> loadNamed(dataset));
  }

  /** A path may also be given of a table that only a catalog of the session can open. */
  private Table loadAt(String path, DatasetConfig.Dataset dataset) {
    try {
      return IcebergTables.load(path, hadoopConf);
    } catch (NoTableException notByPath) {
      if (dataset.namespace().isEmpty()) {
        throw notByPath;
      }
      Table table = loadNamedAfter(notByPath, dataset);
      if (!isSamePlace(path, table.location())) {
        throw new NoTableException(
            String.format(
                "%s; and table '%s' of the session is at %s",
                notByPath.getMessage(), dataset.name(), table.location()),
            notByPath);
      }
      return table;
    }
  }

  private Table loadNamedAfter(NoTableException notByPath, DatasetConfig.Dataset dataset) {
    try {
      return loadNamed(dataset);
    } catch (NoTableException notByName) {
      notByName.addSuppressed(notByPath);
      throw new NoTableException(notByPath.getMessage() + "; " + notByName.getMessage(), notByName);
    }
  }

  private Table loadNamed(DatasetConfig.Dataset dataset) {
    String name = sparkIdentifier(dataset);
    try {
      return Spark3Util.loadIcebergTable(spark, name);
    } catch (Exception e) {
      // Spark declares no common type for: no such catalog, namespace, table, or not Iceberg's.
      throw new NoTableException(
          String.format(
              "Cannot find table: the Spark session has no Iceberg table %s (%s)",
              name, firstLine(e.getMessage())),
          e);
    }
  }

  /** Spark's messages go on with advice that fits SQL only. */
  private static String firstLine(String message) {
    return message == null ? "no reason given" : message.lines().findFirst().orElse("");
  }

  private static String sparkIdentifier(DatasetConfig.Dataset dataset) {
    String namespace = dataset.namespace().orElse("");
    if (namespace.isEmpty()) {
      return dataset.tableName();
    }
    List<String> parts = new ArrayList<>(Arrays.asList(namespace.split("\\.")));
    parts.add(dataset.tableName());
    return parts.stream()
        .map(part -> "`" + part.replace("`", "``") + "`")
        .collect(Collectors.joining("."));
  }

  private void requireDataPath(DatasetConfig.Dataset dataset, Table table) {
    DataPath actual = TableDataPath.of(table);
    dataset
        .tableDataPath()
        .filter(given -> !isSamePlace(given, actual.location()))
        .ifPresent(
            given -> {
              throw new IndexException(
                  String.format(
                      "Cannot index table %s: tableDataPath is %s, but the table keeps its data files"
                          + " in %s; correct it or leave it out",
                      dataset.name(), given, actual));
            });
  }

  private boolean isSamePlace(String one, String other) {
    return qualified(one).equals(qualified(other));
  }

  private DataPath qualified(String location) {
    Path path = new Path(location);
    if (path.toUri().getScheme() != null) {
      return new DataPath(path.toString());
    }
    try {
      return new DataPath(path.getFileSystem(hadoopConf).makeQualified(path).toString());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot open the file system of " + location, e);
    }
  }
}
