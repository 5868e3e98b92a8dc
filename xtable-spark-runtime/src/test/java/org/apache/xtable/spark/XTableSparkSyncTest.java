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
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkUserAppException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C1, C14: the main class for spark-submit. */
class XTableSparkSyncTest {
  @TempDir Path folder;

  @Test
  void helpIsASuccess() {
    assertThatCode(() -> XTableSparkSync.main(new String[] {"--help"})).doesNotThrowAnyException();
  }

  @Test
  void wrongOptionGivesSparkSubmitItsExitCode() {
    assertThat(exitCode("--nonsense")).isEqualTo(2);
  }

  @Test
  void failedTableGivesItsExitCodeAndLeavesASessionThatWasThere() throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("c.yaml"),
            "sourceFormat: ICEBERG\ntargetFormats: [HUDI]\ndatasets:\n"
                + "  - tableBasePath: /none\n    tableName: t\n    targetProperties:\n"
                + "      HUDI: {xtable.hudi.target.secondary.index.column: c}\n");
    SparkSession spark = LocalSpark.start();
    try {
      assertThat(exitCode("--datasetConfig", config.toString())).isEqualTo(1);
      assertThat(spark.sparkContext().isStopped()).isFalse();
    } finally {
      spark.stop();
    }
  }

  private static int exitCode(String... args) {
    return catchThrowableOfType(SparkUserAppException.class, () -> XTableSparkSync.main(args))
        .exitCode();
  }
}
