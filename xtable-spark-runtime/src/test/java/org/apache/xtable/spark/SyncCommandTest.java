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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C1, C2, C14: the command from its arguments to its exit code. */
class SyncCommandTest {
  private static SparkSession spark;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private SparkConf sessionConf;

  @AfterAll
  static void stopSpark() {
    if (spark != null) {
      spark.stop();
    }
  }

  @Test
  void helpPrintsUsageAndStartsNoSpark() {
    assertThat(run("--help")).isZero();
    assertThat(text(out)).contains("--datasetConfig FILE").contains("--icebergCatalogConfig");
    assertThat(sessionConf).isNull();
  }

  @Test
  void wrongOptionPrintsUsageAsAnError() {
    assertThat(run("--nonsense")).isEqualTo(2);
    assertThat(text(err)).contains("unknown option --nonsense").contains("--datasetConfig FILE");
    assertThat(text(out)).isEmpty();
  }

  @Test
  void wrongConfigStartsNoSpark() throws IOException {
    String file = write("c.yaml", "sourceFormat: HUDI");
    assertThat(run("--datasetconfig", file)).isEqualTo(2);
    assertThat(text(err)).contains("Cannot read dataset config " + file).contains("line 1");
    assertThat(sessionConf).isNull();
  }

  @Test
  void missingConfigIsNamed() {
    String file = folder.resolve("none.yaml").toString();
    assertThat(run("--datasetConfig", file)).isEqualTo(2);
    assertThat(text(err)).contains("Cannot read " + file + ": there is no such file");
  }

  @Test
  void brokenHadoopConfigIsNamed() throws IOException {
    String file = write("h.xml", "<configuration><property>");
    assertThat(run("--datasetConfig", "x", "--hadoopConfig", file)).isEqualTo(2);
    assertThat(text(err)).contains("Cannot read Hadoop config " + file);
  }

  @Test
  void failingTablesAreReportedOneByOneAndTheExitCodeIsOne() throws IOException {
    String file = write("c.yaml", twoMissingTables());
    assertThat(run("--datasetConfig", "file://" + file)).isEqualTo(1);
    assertThat(text(out).split("\n"))
        .hasSize(3)
        .satisfies(
            lines -> {
              assertThat(lines[0]).startsWith("a: FAILED").contains("/none/a");
              assertThat(lines[1]).startsWith("db.b: FAILED").contains("`db`.`b`");
              assertThat(lines[2]).isEqualTo("2 tables: 0 synced, 2 failed");
            });
  }

  @Test
  void reportForProgramsIsOneJsonObjectALine() throws IOException {
    String file = write("c.yaml", twoMissingTables());
    assertThat(run("--datasetConfig", file, "--report", "json")).isEqualTo(1);
    assertThat(text(out).split("\n"))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).startsWith("{\"table\":").endsWith("}"));
  }

  @Test
  void sessionGetsKryoUnlessSomethingElseIsSet() throws IOException {
    String file = write("c.yaml", twoMissingTables());
    run("--datasetConfig", file);
    assertThat(sessionConf.get("spark.serializer"))
        .isEqualTo("org.apache.spark.serializer.KryoSerializer");
    assertThat(sessionConf.get("spark.kryo.registrator"))
        .isEqualTo("org.apache.spark.HoodieSparkKryoRegistrar");

    System.setProperty("spark.serializer", "org.apache.spark.serializer.JavaSerializer");
    try {
      run("--datasetConfig", file);
    } finally {
      System.clearProperty("spark.serializer");
    }
    assertThat(sessionConf.get("spark.serializer"))
        .isEqualTo("org.apache.spark.serializer.JavaSerializer");
  }

  @Test
  void hadoopConfigReachesTheSession() throws IOException {
    String xml =
        write(
            "h.xml",
            "<configuration><property><name>my.key</name><value>v</value></property>"
                + "</configuration>");
    run("--datasetConfig", write("c.yaml", twoMissingTables()), "--hadoopConfig", xml);
    assertThat(spark.sparkContext().hadoopConfiguration().get("my.key")).isEqualTo("v");
  }

  private int run(String... args) {
    SyncCommand command =
        new SyncCommand(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            this::session);
    return command.run(args);
  }

  private SparkSession session(SparkConf conf) {
    sessionConf = conf;
    if (spark == null) {
      spark = LocalSpark.start();
    }
    return spark;
  }

  private static String twoMissingTables() {
    return String.join(
        "\n",
        "sourceFormat: ICEBERG",
        "targetFormats: [HUDI]",
        "targetProperties: {HUDI: {xtable.hudi.target.secondary.index.column: c}}",
        "datasets:",
        "  - {tableName: a, tableBasePath: /none/a}",
        "  - {tableName: b, namespace: db}");
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
