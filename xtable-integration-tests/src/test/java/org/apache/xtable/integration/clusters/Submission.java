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
package org.apache.xtable.integration.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.xtable.integration.process.JavaProcess;
import org.apache.xtable.integration.process.SparkHome;

/** What a user gives to {@code spark-submit}: settings, then SQL statements or the sync. */
final class Submission {
  private static final Duration LIMIT = Duration.ofMinutes(4);

  private final Path folder;
  private final String warehouse;
  private final List<String> args = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();

  /**
   * @param folder of the tables of catalog {@code lake}, and to run in
   */
  Submission(Path folder, String master) {
    this(folder, folder.resolve("lake").toString(), master);
  }

  /**
   * @param folder to run in
   * @param warehouse of catalog {@code lake}
   */
  Submission(Path folder, String warehouse, String master) {
    this.folder = folder;
    this.warehouse = warehouse;
    args.addAll(List.of("--master", master));
    conf("spark.driver.host", "127.0.0.1");
    conf("spark.driver.bindAddress", "127.0.0.1");
    conf("spark.ui.enabled", "false");
    conf("spark.sql.shuffle.partitions", "2");
    conf("spark.executor.memory", "1g");
    conf(
        "spark.sql.extensions",
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
            + "org.apache.xtable.spark.extensions.XTableSparkSessionExtensions");
    conf("spark.xtable.index.pruning.minCandidateFiles", "1");
    conf("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog");
    conf("spark.sql.catalog.lake.type", "hadoop");
    conf("spark.sql.catalog.lake.warehouse", warehouse);
    conf("spark.sql.warehouse.dir", folder.resolve("spark-warehouse").toString());
  }

  Submission conf(String name, String value) {
    args.addAll(List.of("--conf", name + "=" + value));
    return this;
  }

  /** The jars copied to driver and executors, which load them beside the class path. */
  Submission jars() {
    args.addAll(List.of("--jars", SparkHome.joined(SparkHome.userJars(), ",")));
    return this;
  }

  /** The jars on the class path of driver and executors. */
  Submission extraClassPath() {
    String classPath = SparkHome.joined(SparkHome.userJars(), File.pathSeparator);
    conf("spark.driver.extraClassPath", classPath);
    return conf("spark.executor.extraClassPath", classPath);
  }

  Submission kryo() {
    conf("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    return conf("spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar");
  }

  Submission javaSerializer() {
    return conf("spark.serializer", "org.apache.spark.serializer.JavaSerializer");
  }

  /** A statement for a table of which Iceberg knows no minimum and maximum. */
  static String createTable(String name) {
    return "CREATE TABLE lake.db."
        + name
        + " (id BIGINT, k STRING) USING iceberg"
        + " TBLPROPERTIES ('write.metadata.metrics.default'='none')";
  }

  /** Who asks Hadoop for files. */
  Submission user(String name) {
    environment.put("HADOOP_USER_NAME", name);
    return this;
  }

  /** Starts {@code spark-sql} with these statements. */
  JavaProcess startSql(String... statements) {
    return start(
        "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver",
        "spark-internal",
        "-e",
        String.join(";\n", statements) + ";");
  }

  /** Runs {@code spark-sql}, which must succeed; what it and its log print. */
  String sql(String... statements) throws InterruptedException {
    return succeed(startSql(statements));
  }

  /** Starts a sync of a table of {@code lake.db}. */
  JavaProcess startSync(String table, String column) {
    Path config = folder.resolve(table + ".yaml");
    try {
      Files.writeString(
          config,
          String.join(
              "\n",
              "sourceFormat: ICEBERG",
              "targetFormats: [HUDI]",
              "datasets:",
              "  - tableBasePath: " + warehouse + "/db/" + table,
              "    tableName: " + table,
              "    targetProperties:",
              "      HUDI:",
              "        xtable.hudi.target.secondary.index.column: " + column,
              ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return start(
        "org.apache.xtable.spark.XTableSparkSync",
        SparkHome.runtimeJar().toString(),
        "--datasetConfig",
        config.toString());
  }

  String sync(String table, String column) throws InterruptedException {
    return succeed(startSync(table, column));
  }

  /** Starts any class. */
  JavaProcess start(String mainClass, String jar, String... mainArgs) {
    List<String> all = new ArrayList<>(args);
    all.addAll(List.of("--class", mainClass, jar));
    all.addAll(List.of(mainArgs));
    return SparkHome.submit(folder.resolve("run"), environment, all);
  }

  static String succeed(JavaProcess process) throws InterruptedException {
    try (process) {
      int exitCode = process.exitCode(LIMIT);
      assertThat(exitCode).as("%s", process.output()).isZero();
      return process.output();
    }
  }
}
