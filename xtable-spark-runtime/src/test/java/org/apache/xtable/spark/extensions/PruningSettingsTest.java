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
package org.apache.xtable.spark.extensions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.sql.internal.SQLConf;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of the query side (C26). */
class PruningSettingsTest {
  @BeforeAll
  static void register() {
    PruningSettings.register();
  }

  @Test
  @DisplayName("C26: the defaults")
  void defaults() {
    PruningSettings settings = PruningSettings.of(new SQLConf());
    assertThat(settings.enabled()).isTrue();
    assertThat(settings.minCandidateFiles()).isEqualTo(32);
    assertThat(settings.minCandidateBytes()).isEqualTo(1073741824L);
    assertThat(settings.maxKeys()).isEqualTo(10000);
  }

  @Test
  @DisplayName("C26: they take the values that are set, sizes with a unit too")
  void takeTheValuesThatAreSet() {
    SQLConf conf = new SQLConf();
    conf.setConfString("spark.xtable.index.pruning.enabled", "false");
    conf.setConfString("spark.xtable.index.pruning.minCandidateFiles", "0");
    conf.setConfString("spark.xtable.index.pruning.minCandidateBytes", "2g");
    conf.setConfString("spark.xtable.index.pruning.maxKeys", "7");
    PruningSettings settings = PruningSettings.of(conf);
    assertThat(settings.enabled()).isFalse();
    assertThat(settings.minCandidateFiles()).isZero();
    assertThat(settings.minCandidateBytes()).isEqualTo(2L << 30);
    assertThat(settings.maxKeys()).isEqualTo(7);
  }

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource({
    "enabled, maybe",
    "minCandidateFiles, many",
    "minCandidateFiles, -1",
    "minCandidateBytes, big",
    "minCandidateBytes, -1",
    "maxKeys, 1.5",
    "maxKeys, -3",
  })
  @DisplayName("C26: a bad value is refused when it is set; key and value are named")
  void badValuesAreRefused(String name, String value) {
    String key = "spark.xtable.index.pruning." + name;
    assertThatThrownBy(() -> new SQLConf().setConfString(key, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(value);
  }
}
