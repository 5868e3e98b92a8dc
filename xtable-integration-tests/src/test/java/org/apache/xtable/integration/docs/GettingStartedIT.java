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
package org.apache.xtable.integration.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.xtable.integration.process.JavaProcess;
import org.apache.xtable.integration.process.SparkHome;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The commands of {@code docs/getting-started.md}, in their order, as they stand there. */
class GettingStartedIT {
  /** What the build of this project does itself. */
  private static final String QUICKSTART = "./mvnw -q -Pquickstart verify";

  @Test
  @DisplayName("From the jars to a pruned query, with the docs alone")
  void commandsOfTheDocs() throws Exception {
    Path clone = clone(SparkHome.newFolder("getting-started"));
    String script = "set -euo pipefail\n" + commands().replace(QUICKSTART, "");
    try (JavaProcess bash =
        JavaProcess.start(
            clone,
            Map.of("SPARK_HOME", SparkHome.home().toString()),
            List.of("bash", "-c", script))) {
      int exitCode = bash.exitCode(Duration.ofMinutes(8));
      assertThat(exitCode).as("%s", bash.output()).isZero();
      assertThat(bash.output())
          .containsPattern("customers: BUILT, .* 64 files added, 0 removed, 100000 entries")
          .contains("[index: used, 1 of 64 files")
          .contains("4711\t")
          .containsPattern("customers: UPDATED, .* 1 files added, 0 removed, 1 entries");
    }
  }

  /** A folder that looks like the clone, so that what is put beside it stays below the build. */
  private static Path clone(Path folder) throws IOException {
    Path clone = Files.createDirectories(folder.resolve("clone"));
    for (String name : List.of("mvnw", ".mvn", "pom.xml", "xtable-spark-runtime")) {
      Files.createSymbolicLink(clone.resolve(name), SparkHome.project().resolve(name));
    }
    return clone;
  }

  private static String commands() throws IOException {
    String page = Files.readString(SparkHome.project().resolve("docs/getting-started.md"));
    assertThat(page).contains(QUICKSTART);
    StringBuilder commands = new StringBuilder();
    Matcher blocks = Pattern.compile("(?ms)^```bash$(.*?)^```$").matcher(page);
    while (blocks.find()) {
      commands.append(blocks.group(1));
    }
    return commands.toString();
  }
}
