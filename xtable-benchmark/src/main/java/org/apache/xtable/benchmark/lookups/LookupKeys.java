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
package org.apache.xtable.benchmark.lookups;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.xtable.benchmark.measure.KeyTable;
import org.apache.xtable.benchmark.measure.Sizes;

/** Keys that the indexes of part C have. */
final class LookupKeys {
  private LookupKeys() {}

  /**
   * @return distinct keys: so many, or half of those there are if that is less
   */
  static List<String> random(int count, long seed) {
    long entries = Sizes.rows("entries", 1000);
    return new Random(seed)
        .longs(0, entries)
        .distinct()
        .limit(Math.min(count, entries / 2))
        .mapToObj(KeyTable::key)
        .collect(Collectors.toList());
  }
}
