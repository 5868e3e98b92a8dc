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
package org.apache.xtable.quickstart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The measured runs of one query, without and with the index. */
final class Comparison {
  private final Query query;
  private final List<Run> without = new ArrayList<>();
  private final List<Run> with = new ArrayList<>();

  Comparison(Query query) {
    this.query = query;
  }

  void add(Run runWithout, Run runWith) {
    without.add(runWithout);
    with.add(runWith);
  }

  Query query() {
    return query;
  }

  /** The run of median time. */
  Run without() {
    return median(without);
  }

  /** The run of median time. */
  Run with() {
    return median(with);
  }

  /** What is wrong, one sentence each; empty if the index was used and changed no answer. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < with.size(); i++) {
      Run a = without.get(i);
      Run b = with.get(i);
      if (!a.sortedRows().equals(b.sortedRows())) {
        faults.add(
            String.format(
                "'%s' has different answers: %d rows without the index, %d with it",
                query.name(), a.sortedRows().size(), b.sortedRows().size()));
      }
      if (b.files() >= a.files()) {
        faults.add(
            String.format(
                "'%s' did not use the index: %d files read without it, %d with it; scan: %s",
                query.name(), a.files(), b.files(), b.scan()));
      }
    }
    return faults;
  }

  private static Run median(List<Run> runs) {
    List<Run> byTime = new ArrayList<>(runs);
    byTime.sort(Comparator.comparingDouble(Run::milliseconds));
    return byTime.get(byTime.size() / 2);
  }
}
