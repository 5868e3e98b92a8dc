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
package org.apache.xtable.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** C2, C5: a misspelt name is answered with the one that was meant. */
class NearNamesTest {
  private static final List<String> KNOWN = List.of("customer", "Customer", "custom", "price");

  @Test
  void caseCountsForNothingAndSpellingDoes() {
    assertThat(NearNames.to("CUSTOMER", KNOWN)).containsExactly("Customer", "customer", "custom");
    assertThat(NearNames.to("prise", KNOWN)).containsExactly("price");
    assertThat(NearNames.to("zzz", KNOWN)).isEmpty();
    assertThat(NearNames.to("", KNOWN)).isEmpty();
  }
}
