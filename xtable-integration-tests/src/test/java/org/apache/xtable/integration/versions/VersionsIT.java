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
package org.apache.xtable.integration.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.xtable.integration.process.JavaProcess;
import org.apache.xtable.integration.process.SparkHome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each version of Iceberg with each of Hudi; what comes out is the table in the docs. */
class VersionsIT {
  private static final Path JARS = SparkHome.build().resolve("versions");
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String ICEBERG = "iceberg-spark-runtime-3.5_2.12-";
  private static final String HUDI = "hudi-spark3.5-bundle_2.12-";

  private static final String USED = "\\[lake\\.db\\.t: used, [1-4] of 8 files";

  private static final List<String> TABLE = new ArrayList<>();
  private static final Map<String, Path> FOLDERS = new HashMap<>();

  /** Of each Iceberg the Hudi that can build an index comes first, for the other to find it. */
  static Stream<List<String>> pairs() {
    return Stream.of("1.8.1", "1.9.2", "1.10.2", "1.11.0", "1.12.0")
        .flatMap(iceberg -> Stream.of("1.2.0", "1.1.1").map(hudi -> List.of(iceberg, hudi)));
  }

  @ParameterizedTest(name = "Iceberg and Hudi {0}")
  @MethodSource("pairs")
  @DisplayName("C20: works, or is refused with one message in a session that works")
  void pair(List<String> versions) throws Exception {
    String iceberg = versions.get(0);
    String hudi = versions.get(1);
    String printed = probe(iceberg, hudi);
    assertThat(printed).contains("rows: same").doesNotContain("rows: DIFFERENT");
    TABLE.add(
        String.format(
            "| %s | %s | %s | %s |", iceberg, hudi, syncResult(printed), queryResult(printed)));
  }

  private static String syncResult(String printed) {
    if (printed.contains("refused: Cannot sync: ")) {
      assertThat(printed).doesNotContain(": BUILT").doesNotContain(": UPDATED");
      return "refused";
    }
    assertThat(printed)
        .contains("sync: lake.db.t: BUILT", "sync: lake.db.t: UPDATED")
        .containsPattern("new index: " + USED);
    return "works";
  }

  private static String queryResult(String printed) {
    if (Pattern.compile("index: " + USED).matcher(printed).find()) {
      return "use the index";
    }
    assertThat(refusals(printed)).as("%s", printed).hasSize(1);
    return "run without it";
  }

  @AfterAll
  static void isWhatTheDocsSay() throws Exception {
    Path docs = SparkHome.project().resolve("docs").resolve("versions.md");
    List<String> documented =
        Files.readAllLines(docs).stream()
            .filter(line -> line.matches("\\| \\d+\\.\\d+.*"))
            .collect(Collectors.toList());
    assertThat(documented).isEqualTo(TABLE);
  }

  private static List<String> refusals(String printed) {
    List<String> found = new ArrayList<>();
    Matcher matcher = Pattern.compile("WARN .*[Ii]ndex.*").matcher(printed);
    while (matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  private static String probe(String iceberg, String hudi) throws InterruptedException {
    String classPath =
        Stream.of(
                SparkHome.build().resolve("test-classes"),
                SparkHome.runtimeJar(),
                JARS.resolve(ICEBERG + iceberg + ".jar"),
                JARS.resolve(HUDI + hudi + ".jar"),
                SparkHome.build().resolve("spark/jars/*"))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    Path folder = FOLDERS.computeIfAbsent(iceberg, SparkHome::newFolder);
    try (JavaProcess probe =
        SparkHome.java(folder, "1g", classPath, VersionProbe.class, folder.toString())) {
      int exitCode = probe.exitCode(LIMIT);
      assertThat(exitCode).as("%s", probe.output()).isZero();
      return probe.output();
    }
  }
}
