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
package org.apache.xtable.quickstart;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the quickstart from a clean folder: write the table, sync the index, compare the queries.
 *
 * <p>The build passes where things are as system properties {@code quickstart.*}. Exits with the
 * code of the first step that fails.
 */
public final class Quickstart {
  private static final String MAX_HEAP = "-Xmx4g";
  private static final String SYNC_CLASS = "org.apache.xtable.spark.XTableSparkSync";

  private final Path directory;
  private final String ownClasses;
  private final String generator;
  private final String runtimeJar;
  private final String sparkClassPath;
  private final List<String> jvmOptions;

  private Quickstart() {
    this.directory = Paths.get(required("quickstart.directory"));
    this.ownClasses = required("quickstart.classes");
    this.generator = required("quickstart.generator");
    this.runtimeJar = required("quickstart.runtime.jar");
    this.sparkClassPath = required("quickstart.spark.classpath");
    this.jvmOptions = Arrays.asList(required("quickstart.spark.jvm.options").trim().split("\\s+"));
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(new Quickstart().run());
  }

  private int run() throws IOException, InterruptedException {
    deleteRecursively(directory);
    Files.createDirectories(directory);
    Customers customers = new Customers(directory.resolve("warehouse").toUri().toString());
    Path datasetConfig = directory.resolve("dataset.yaml");
    Files.writeString(datasetConfig, datasetConfig(customers));

    String threeJars = String.join(File.pathSeparator, sparkClassPath, runtimeJar);
    int exitCode =
        step(
            String.format(
                Locale.ROOT,
                "1/3 Write an Iceberg table of %,d TPC-DS customers in %d files",
                Customers.ROWS,
                Customers.FILES),
            // Before Spark's: the generator needs a newer Guava.
            String.join(File.pathSeparator, generator, ownClasses, sparkClassPath),
            List.of(CustomersWriter.class.getName(), customers.warehouse()));
    if (exitCode == 0) {
      exitCode =
          step(
              "2/3 Sync an index on " + Customers.INDEXED_COLUMN + " with " + datasetConfig,
              threeJars,
              submit(datasetConfig));
    }
    if (exitCode == 0) {
      exitCode =
          step(
              "3/3 Query with and without the index",
              String.join(File.pathSeparator, threeJars, ownClasses),
              List.of(QueryComparison.class.getName(), customers.warehouse()));
    }
    return exitCode;
  }

  private List<String> submit(Path datasetConfig) {
    return List.of(
        "org.apache.spark.deploy.SparkSubmit",
        "--master",
        "local[2]",
        "--conf",
        "spark.ui.enabled=false",
        "--conf",
        "spark.serializer=org.apache.spark.serializer.KryoSerializer",
        "--conf",
        "spark.kryo.registrator=org.apache.spark.HoodieSparkKryoRegistrar",
        "--class",
        SYNC_CLASS,
        runtimeJar,
        "--datasetconfig",
        datasetConfig.toString());
  }

  private static String datasetConfig(Customers customers) {
    return String.join(
        "\n",
        "sourceFormat: ICEBERG",
        "targetFormats:",
        "  - HUDI",
        "datasets:",
        "  - tableBasePath: " + customers.tableLocation(),
        "    tableDataPath: " + customers.tableLocation() + "/data",
        "    tableName: " + Customers.TABLE,
        "    namespace: " + Customers.NAMESPACE,
        "    targetProperties:",
        "      HUDI:",
        "        xtable.hudi.target.table_version: 9",
        "        xtable.hudi.target.execution.engine: spark",
        "        xtable.hudi.target.secondary.index.column: " + Customers.INDEXED_COLUMN,
        "");
  }

  private int step(String title, String classPath, List<String> mainClassAndArguments)
      throws IOException, InterruptedException {
    System.out.printf("%n%s%n", title);
    List<String> command = new ArrayList<>();
    command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
    command.add(MAX_HEAP);
    command.addAll(jvmOptions);
    command.add("-Dlog4j2.configurationFile=" + Paths.get(ownClasses, "log4j2.properties").toUri());
    command.add("-Dspark.local.dir=" + directory.resolve("spark"));
    command.addAll(List.of("-classpath", classPath));
    command.addAll(mainClassAndArguments);

    long start = System.nanoTime();
    ProcessBuilder process = new ProcessBuilder(command).inheritIO().directory(directory.toFile());
    process.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    int exitCode = process.start().waitFor();
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    System.out.printf(
        Locale.ROOT,
        "%s after %.1f s%n",
        exitCode == 0 ? "Done" : "FAILED (exit code " + exitCode + ")",
        took.toMillis() / 1000.0);
    return exitCode;
  }

  private static void deleteRecursively(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> paths = Files.walk(path)) {
      deepestFirst = paths.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path each : deepestFirst) {
      Files.delete(each);
    }
  }

  private static String required(String property) {
    String value = System.getProperty(property);
    if (value == null) {
      throw new IllegalStateException(
          "Cannot run the quickstart: the system property "
              + property
              + " is not set; run it by ./mvnw -q -Pquickstart verify");
    }
    return value;
  }
}
