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
package org.apache.xtable.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.xtable.benchmark.build.BuildBenchmark;
import org.apache.xtable.benchmark.lookups.LookupBenchmark;
import org.apache.xtable.benchmark.measure.Sizes;
import org.apache.xtable.benchmark.predicates.PredicateReport;
import org.apache.xtable.benchmark.queries.PlanningBenchmark;
import org.apache.xtable.benchmark.queries.QueryBenchmark;
import org.apache.xtable.benchmark.report.Report;

/**
 * Runs the parts of the benchmark, each in a JVM of its own and from a clean folder, and writes the
 * report. Exits with the code of the first part that fails; the report has what was found by then.
 */
public final class Benchmark {
  /** In the order of running: the lookups are in what the build leaves. */
  private static final Map<String, Class<?>> PARTS = parts();

  private static final List<String> ORDER_OF_REPORT =
      List.of("queries", "lookups", "build", "predicates", "planning");

  /** Hudi measures objects by attaching to its own JVM, and warns where it may not. */
  private static final List<String> QUIET =
      List.of("-Djdk.attach.allowAttachSelf=true", "-Djol.skipHotspotSAAttach=true");

  private final Path directory = Sizes.directory();

  private Benchmark() {}

  private static Map<String, Class<?>> parts() {
    Map<String, Class<?>> parts = new LinkedHashMap<>();
    parts.put("queries", QueryBenchmark.class);
    parts.put("build", BuildBenchmark.class);
    parts.put("lookups", LookupBenchmark.class);
    parts.put("planning", PlanningBenchmark.class);
    parts.put("predicates", PredicateReport.class);
    return parts;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(new Benchmark().run());
  }

  private int run() throws IOException, InterruptedException {
    List<String> wanted = Sizes.list("parts");
    if (!PARTS.keySet().containsAll(wanted)) {
      throw new IllegalArgumentException(
          "Cannot run benchmark.parts=" + wanted + ": the parts are " + PARTS.keySet());
    }
    if (wanted.contains("lookups") && !wanted.contains("build")) {
      throw new IllegalArgumentException(
          "Cannot run benchmark.parts="
              + wanted
              + ": 'lookups' needs the index that 'build' leaves");
    }
    FileUtils.deleteDirectory(directory.toFile());
    Files.createDirectories(directory);
    Report report = new Report();
    int exitCode = 0;
    for (Map.Entry<String, Class<?>> part : PARTS.entrySet()) {
      if (exitCode == 0 && wanted.contains(part.getKey())) {
        exitCode = run(part.getKey(), part.getValue());
      }
    }
    for (String part : ORDER_OF_REPORT) {
      report.add(part);
    }
    System.out.println();
    System.out.println(report.write());
    System.out.println("Written to " + directory);
    return exitCode;
  }

  private int run(String part, Class<?> mainClass) throws IOException, InterruptedException {
    System.out.printf("%nPart %s%n", part);
    List<String> command = new ArrayList<>();
    command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(Sizes.text("jvm.options").split("\\s+")));
    command.addAll(Sizes.jvmOptions());
    command.addAll(QUIET);
    command.add("-Dlog4j2.configurationFile=" + Benchmark.class.getResource("/log4j2.properties"));
    command.add("-classpath");
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass.getName());

    long start = System.nanoTime();
    ProcessBuilder process = new ProcessBuilder(command).inheritIO().directory(directory.toFile());
    process.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    int exitCode = process.start().waitFor();
    System.out.printf(
        Locale.ROOT,
        "%s after %.0f s%n",
        exitCode == 0 ? "Done" : "FAILED (exit code " + exitCode + ")",
        (System.nanoTime() - start) / 1e9);
    return exitCode;
  }
}
