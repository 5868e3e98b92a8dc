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

import java.io.PrintStream;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.IcebergCatalogConfig;
import org.apache.xtable.index.sync.SyncSummary;
import org.apache.xtable.index.sync.TableSyncReport;

/**
 * The sync as a command: reads the options and config files, and only if they are right opens a
 * Spark session, syncs, and prints one line a table.
 */
public final class SyncCommand {
  private final PrintStream out;
  private final PrintStream err;
  private final Function<SparkConf, SparkSession> sessions;

  /**
   * @param out for results and usage
   * @param err for what is wrong with options and config files
   * @param sessions opens the session with the settings that a sync wants
   */
  public SyncCommand(PrintStream out, PrintStream err, Function<SparkConf, SparkSession> sessions) {
    this.out = Objects.requireNonNull(out, "out is null");
    this.err = Objects.requireNonNull(err, "err is null");
    this.sessions = Objects.requireNonNull(sessions, "sessions is null");
  }

  /**
   * Runs the command.
   *
   * @return an exit code of {@link SyncSummary}
   */
  public int run(String... args) {
    SyncOptions options;
    try {
      options = SyncOptions.parse(args);
    } catch (IndexException e) {
      err.println(e.getMessage() + "\n\n" + SyncOptions.USAGE);
      return SyncSummary.EXIT_USAGE;
    }
    if (options.isHelp()) {
      out.println(SyncOptions.USAGE);
      return SyncSummary.EXIT_OK;
    }
    try {
      SyncSummary summary = sync(options);
      print(summary, options.report());
      return summary.exitCode();
    } catch (IndexException e) {
      err.println(e.getMessage());
      return SyncSummary.EXIT_USAGE;
    }
  }

  private SyncSummary sync(SyncOptions options) {
    SparkConf conf = sparkConf();
    Configuration hadoopConf = SparkHadoopUtil.get().newConfiguration(conf);
    Optional<Configuration> overrides =
        options.hadoopConfig().map(file -> new ConfigFiles(hadoopConf).hadoopXml(file));
    overrides.ifPresent(settings -> override(hadoopConf, settings));
    ConfigFiles files = new ConfigFiles(hadoopConf);
    DatasetConfig datasets =
        DatasetConfig.parse(files.text(options.datasetConfig()), options.datasetConfig());
    Optional<IcebergCatalogConfig> catalog =
        options
            .icebergCatalogConfig()
            .map(file -> IcebergCatalogConfig.parse(files.text(file), file));

    RequiredJars.check();
    SparkSession spark = sessions.apply(conf);
    overrides.ifPresent(settings -> override(spark.sparkContext().hadoopConfiguration(), settings));
    XTableSync sync = XTableSync.create(spark);
    return catalog.map(sync::withCatalog).orElse(sync).sync(datasets);
  }

  private static SparkConf sparkConf() {
    return new SparkConf()
        .setIfMissing("spark.app.name", "XTable sync")
        .setIfMissing("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        .setIfMissing("spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar");
  }

  private static void override(Configuration target, Configuration settings) {
    for (Map.Entry<String, String> setting : settings) {
      target.set(setting.getKey(), setting.getValue());
    }
  }

  private void print(SyncSummary summary, SyncOptions.Report report) {
    boolean json = report == SyncOptions.Report.JSON;
    for (TableSyncReport table : summary.reports()) {
      out.println(json ? table.toJson() : table.toLine());
    }
    if (!json) {
      out.println(summary.toLine());
    }
  }
}
