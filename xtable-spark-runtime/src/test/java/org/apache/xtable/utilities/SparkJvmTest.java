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
package org.apache.xtable.utilities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.xtable.index.IndexException;
import org.junit.jupiter.api.Test;

/** C1: RunSync is a plain Java process, on Java 17 too. */
class SparkJvmTest {
  @Test
  void jvmOfTheTestsCanRunSpark() {
    assertThat(SparkJvm.current().canRunSpark()).isTrue();
  }

  @Test
  void relaunchedJvmIsTheSameButForSparksOptions() {
    List<String> arguments = List.of("-Xmx1g", "-Dspark.master=local[2]", "-agentlib:jdwp=x");
    SparkJvm jvm = new SparkJvm(false, false, arguments, "a.jar:b.jar");
    List<String> command = jvm.command(RunSync.class, "--datasetConfig", "a b.yaml");
    assertThat(command.get(0)).endsWith("java");
    assertThat(command)
        .contains("-Xmx1g", "-Dspark.master=local[2]", "-Dxtable.relaunched=true")
        .contains("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED")
        .containsSequence("-cp", "a.jar:b.jar", RunSync.class.getName())
        .endsWith("--datasetConfig", "a b.yaml")
        .doesNotContain("-agentlib:jdwp=x");
  }

  @Test
  void relaunchIsTriedOnceThenExplained() {
    SparkJvm jvm = new SparkJvm(false, true, List.of(), "a.jar");
    assertThatThrownBy(() -> jvm.command(RunSync.class))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("start it with ")
        .hasMessageContaining("--add-opens=java.base/java.nio=ALL-UNNAMED");
  }

  @Test
  void processWithoutSparksOptionsRunsAndGivesItsExitCode() throws Exception {
    Process process =
        new ProcessBuilder(
                SparkJvm.current().command(RunSync.class).get(0),
                "-cp",
                System.getProperty("java.class.path"),
                RunSync.class.getName(),
                "--nonsense")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isEqualTo(2);
    assertThat(output).contains("unknown option --nonsense");
  }
}
