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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.xtable.index.IndexException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C1: the command line. */
class SyncOptionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"--datasetconfig", "--datasetConfig", "--DATASETCONFIG", "-datasetConfig", "-d"})
  void optionNamesGoInAnyCase(String option) {
    assertThat(SyncOptions.parse(option, "s3://b/c.yaml").datasetConfig())
        .isEqualTo("s3://b/c.yaml");
  }

  @Test
  void valueMayFollowAnEqualsSign() {
    SyncOptions options =
        SyncOptions.parse(
            "--datasetConfig=a=b.yaml",
            "--icebergcatalogconfig=c.yaml",
            "--hadoopConfig",
            "h.xml",
            "--report=JSON");
    assertThat(options.datasetConfig()).isEqualTo("a=b.yaml");
    assertThat(options.icebergCatalogConfig()).contains("c.yaml");
    assertThat(options.hadoopConfig()).contains("h.xml");
    assertThat(options.report()).isEqualTo(SyncOptions.Report.JSON);
  }

  @Test
  void onlyTheDatasetConfigIsRequired() {
    SyncOptions options = SyncOptions.parse("-d", "f");
    assertThat(options.icebergCatalogConfig()).isEmpty();
    assertThat(options.hadoopConfig()).isEmpty();
    assertThat(options.report()).isEqualTo(SyncOptions.Report.TEXT);
    refused("--datasetConfig FILE is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "--HELP", "-h"})
  void helpNeedsNothingElse(String help) {
    assertThat(SyncOptions.parse(help).isHelp()).isTrue();
  }

  @Test
  void wrongCommandLinesAreExplained() {
    refused("unknown option --datasetConfi; did you mean --datasetConfig?", "--datasetConfi", "f");
    refused("unknown option --continuousMode; options are --datasetConfig", "--continuousMode");
    refused("unexpected 'f'; options are", "f");
    refused("--datasetConfig needs a value", "--datasetConfig");
    refused("--datasetConfig needs a value", "--datasetConfig=");
    refused("--datasetConfig needs a value", "--datasetConfig", "--report", "json");
    refused("-d is given twice", "--datasetConfig", "f", "-d", "g");
    refused("--report is 'xml'; allowed: text, json", "-d", "f", "--report", "xml");
  }

  private static void refused(String message, String... args) {
    assertThatThrownBy(() -> SyncOptions.parse(args))
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith("Cannot read command line: ")
        .hasMessageContaining(message);
  }
}
