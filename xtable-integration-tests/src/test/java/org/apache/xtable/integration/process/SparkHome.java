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
package org.apache.xtable.integration.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Spark installation that the build has laid out, and the jars that users add to it. */
public final class SparkHome {
  private static final Path BUILD = Path.of(System.getProperty("integration.directory"));
  private static final Path HOME = BUILD.resolve("spark");
  private static final String JARS = HOME.resolve("jars").resolve("*").toString();

  /** Executors fail in an endless loop without the Scala version. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "SPARK_HOME", HOME.toString(),
          "SPARK_SCALA_VERSION", "2.12",
          "SPARK_LOCAL_IP", "127.0.0.1");

  private SparkHome() {}

  /** The folder of the whole project. */
  public static Path project() {
    return Path.of(System.getProperty("integration.project"));
  }

  /** The folder of the build, which {@code clean} removes. */
  public static Path build() {
    return BUILD;
  }

  /** A new empty folder for a test. */
  public static Path newFolder(String name) {
    try {
      return Files.createTempDirectory(Files.createDirectories(BUILD.resolve("work")), name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Iceberg's runtime, Hudi's bundle and ours. */
  public static List<Path> userJars() {
    return List.of(
        classPathJar("iceberg-spark-runtime"),
        classPathJar("hudi-spark3.5-bundle"),
        classPathJar("xtable-spark-runtime"));
  }

  public static Path runtimeJar() {
    return classPathJar("xtable-spark-runtime");
  }

  /** The jar on the class path of the tests whose name begins so. */
  public static Path classPathJar(String prefix) {
    List<Path> jars =
        Arrays.stream(classPath().split(File.pathSeparator))
            .map(Path::of)
            .filter(path -> path.getFileName().toString().startsWith(prefix))
            .collect(Collectors.toList());
    assertThat(jars).as("jars on the class path named %s*", prefix).hasSize(1);
    return jars.get(0);
  }

  static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  public static String joined(List<Path> jars, String separator) {
    return jars.stream().map(Path::toString).collect(Collectors.joining(separator));
  }

  /** The folder of the installation. */
  public static Path home() {
    return HOME;
  }

  /**
   * Runs {@code spark-submit} with these arguments.
   *
   * @param folder to run in
   * @param environment beside what Spark needs
   */
  public static JavaProcess submit(
      Path folder, Map<String, String> environment, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(HOME.resolve("bin").resolve("spark-submit").toString());
    command.addAll(args);
    Map<String, String> all = new HashMap<>(ENVIRONMENT);
    all.putAll(environment);
    return JavaProcess.start(folder, all, command);
  }

  /** Starts one of Spark's daemons. */
  public static JavaProcess daemon(Path folder, String mainClass, String... args) {
    List<String> command = command("512m", JARS, mainClass);
    command.addAll(List.of(args));
    return JavaProcess.start(folder, ENVIRONMENT, command);
  }

  /** Starts a JVM beside that of the test. */
  public static JavaProcess java(
      Path folder, String memory, String classPath, Class<?> mainClass, String... args) {
    List<String> command = command(memory, classPath, mainClass.getName());
    command.addAll(List.of(args));
    return JavaProcess.start(folder, ENVIRONMENT, command);
  }

  private static List<String> command(String memory, String classPath, String mainClass) {
    List<String> command = new ArrayList<>(List.of(JavaProcess.java(), "-Xmx" + memory));
    command.addAll(jvmOptions());
    command.addAll(List.of("-cp", classPath, mainClass));
    return command;
  }

  /** What Spark needs on newer versions of Java. */
  public static List<String> jvmOptions() {
    return Stream.of(System.getProperty("integration.spark.jvm.options").trim().split("\\s+"))
        .collect(Collectors.toList());
  }
}
