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
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.data.HoodieListData;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.metadata.HoodieBackedTableMetadata;
import org.apache.hudi.storage.HoodieStorageUtils;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.KeyEncoding;
import org.apache.xtable.index.KeyLocations;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.hudi.HudiSecondaryIndexes;
import org.apache.xtable.index.iceberg.TableDataPath;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.SyncSummary;
import org.apache.xtable.index.sync.TableSyncReport;

/**
 * A Spark session with an Iceberg Hadoop catalog {@code lake}, and what tests ask of its indexes.
 */
final class SyncFixture implements AutoCloseable {
  private final Path folder;
  private final SparkSession spark;
  private final HudiSecondaryIndexes indexes;

  SyncFixture(Path folder) {
    this(folder, Map.of());
  }

  /**
   * @param settings of the Spark session, beside or instead of the usual ones
   */
  SyncFixture(Path folder, Map<String, String> settings) {
    this.folder = folder;
    this.spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("xtable-index-sync-test")
            .config("spark.ui.enabled", false)
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar")
            .config("spark.sql.warehouse.dir", folder.resolve("spark-warehouse").toString())
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
                    + "org.apache.xtable.spark.extensions.XTableSparkSessionExtensions")
            .config("spark.xtable.index.pruning.enabled", false)
            .config("spark.xtable.index.pruning.minCandidateFiles", 1)
            .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog.lake.type", "hadoop")
            .config("spark.sql.catalog.lake.warehouse", folder.resolve("lake").toString())
            .config(new HashMap<>(settings))
            .getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    this.indexes = new HudiSecondaryIndexes(spark.sparkContext().hadoopConfiguration());
  }

  SparkSession spark() {
    return spark;
  }

  void sql(String statement, Object... args) {
    spark.sql(String.format(statement, args));
  }

  Table table(String name) {
    try {
      return Spark3Util.loadIcebergTable(spark, "lake.db." + name);
    } catch (Exception e) {
      throw new IllegalStateException("Cannot load " + name, e);
    }
  }

  /** Syncs, and fails where that fails. */
  TableSyncReport sync(String name, String column) {
    return sync(name, HudiTarget.ofColumn(column));
  }

  TableSyncReport sync(String name, HudiTarget target) {
    TableSyncReport report = trySync(name, target);
    report
        .error()
        .ifPresent(
            error -> {
              throw new AssertionError("Sync failed: " + report, error);
            });
    return report;
  }

  TableSyncReport trySync(String name, HudiTarget target) {
    SyncSummary summary =
        XTableSync.create(spark)
            .sync(
                DatasetConfig.of(
                    DatasetConfig.Dataset.atPath(table(name).location(), name, target)));
    assertThat(summary.reports()).hasSize(1);
    return summary.reports().get(0);
  }

  SecondaryIndex index(String name) {
    return indexes
        .find(dataPath(name).location())
        .orElseThrow(() -> new AssertionError("No index of " + name));
  }

  DataPath dataPath(String name) {
    return TableDataPath.of(table(name));
  }

  Path dataFolder(String name) {
    return Path.of(dataPath(name).location().replaceFirst("^file:(//)?", ""));
  }

  Path indexFolder(String name) {
    return dataFolder(name).resolve(DataPath.INDEX_FOLDER);
  }

  /** What a user does to remove an index (C6). */
  void deleteIndex(String name) {
    try {
      FileUtils.deleteDirectory(indexFolder(name).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the index says that keys are. */
  Map<String, Set<Long>> locations(String name, Object... keys) {
    KeyLocations found = index(name).lookup(List.of(keys));
    Map<String, Set<Long>> locations = new TreeMap<>();
    for (String file : found.files()) {
      Set<Long> positions = new TreeSet<>();
      for (long position : found.positions(file)) {
        positions.add(position);
      }
      locations.put(file, positions);
    }
    return locations;
  }

  /** Where Hudi's own reader says that keys are. */
  Map<String, Set<Long>> stockLocations(String name, String partition, Object... keys) {
    HadoopStorageConfiguration conf =
        new HadoopStorageConfiguration(spark.sparkContext().hadoopConfiguration());
    String base = dataPath(name).location();
    try (HoodieBackedTableMetadata metadata =
        new HoodieBackedTableMetadata(
            new HoodieLocalEngineContext(conf),
            HoodieStorageUtils.getStorage(new StoragePath(base), conf),
            HoodieMetadataConfig.newBuilder().enable(true).build(),
            base)) {
      List<String> encoded = Stream.of(keys).map(KeyEncoding::encode).collect(Collectors.toList());
      return byFile(
          metadata
              .readSecondaryIndexDataTableRecordKeysV2(HoodieListData.eager(encoded), partition)
              .collectAsList());
    }
  }

  private static Map<String, Set<Long>> byFile(Collection<String> recordKeys) {
    Map<String, Set<Long>> locations = new TreeMap<>();
    for (String recordKey : recordKeys) {
      int separator = recordKey.lastIndexOf('_');
      locations
          .computeIfAbsent(recordKey.substring(0, separator), ignored -> new TreeSet<>())
          .add(Long.parseLong(recordKey.substring(separator + 1)));
    }
    return locations;
  }

  /** Where Iceberg says that rows which meet a condition are: all of them. */
  Map<String, Set<Long>> rows(String name, String condition) {
    DataPath dataPath = dataPath(name);
    Map<String, Set<Long>> rows = new TreeMap<>();
    for (Row row :
        spark
            .sql("SELECT _file, _pos FROM lake.db." + name + " WHERE " + condition)
            .collectAsList()) {
      rows.computeIfAbsent(
              dataPath.relativize(row.getString(0)).orElseThrow(), ignored -> new TreeSet<>())
          .add(row.getLong(1));
    }
    return rows;
  }

  /** Every file below a folder but in the index' own, with its content. */
  static Map<Path, String> contentOutsideIndex(Path folder) {
    Map<Path, String> contents = new HashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
        boolean ofIndex =
            Stream.iterate(file, path -> path != null, Path::getParent)
                .anyMatch(path -> path.endsWith(DataPath.INDEX_FOLDER));
        if (!ofIndex) {
          contents.put(file, digest(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return contents;
  }

  /** Every file below a folder, with its content and the time that it was written. */
  static Set<String> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      Set<String> found = new TreeSet<>();
      for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
        found.add(folder.relativize(file) + " " + digest(file));
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** When a file was changed, and its content. */
  static String digest(Path file) {
    try {
      return Files.getLastModifiedTime(file)
          + " "
          + new BigInteger(
              1, MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The rows of a query as sorted text, with or without the index. */
  List<String> rows(String query, boolean withIndex) {
    spark.conf().set("spark.xtable.index.pruning.enabled", withIndex);
    try {
      return spark.sql(query).collectAsList().stream()
          .map(Row::toString)
          .sorted()
          .collect(Collectors.toList());
    } finally {
      spark.conf().set("spark.xtable.index.pruning.enabled", false);
    }
  }

  /** What EXPLAIN says of the index for a query. */
  String decision(String query) {
    spark.conf().set("spark.xtable.index.pruning.enabled", true);
    try {
      String plan =
          spark.sql(query).queryExecution().explainString(ExplainMode.fromString("simple"));
      int start = plan.indexOf("[index: ");
      return start < 0 ? "" : plan.substring(start, plan.indexOf(']', start) + 1);
    } finally {
      spark.conf().set("spark.xtable.index.pruning.enabled", false);
    }
  }

  Path folder() {
    return folder;
  }

  @Override
  public void close() {
    indexes.close();
    spark.stop();
  }
}
