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
package org.apache.xtable.benchmark.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs contestants by turns, so that all of them meet the same machine, and begins each round with
 * another one, so that none always comes after the same other.
 *
 * @param <T> what is known of a run
 */
public final class Race<T> {
  /**
   * One contestant.
   *
   * @param <T> what is known of a run
   */
  public interface Contestant<T> {
    /**
     * @param round from 0 on, warm-ups first; the same for all contestants
     */
    T run(int round) throws Exception;
  }

  private final Map<String, Contestant<T>> contestants = new LinkedHashMap<>();

  public Race<T> enter(String name, Contestant<T> contestant) {
    contestants.put(name, contestant);
    return this;
  }

  /**
   * Runs {@code benchmark.warmups} rounds that do not count and {@code benchmark.runs} that do; of
   * rounds that take longer than {@code benchmark.long.round} seconds only {@code
   * benchmark.long.runs} count.
   *
   * @return what is known of the counted runs, by the contestants in the order that they entered
   */
  public Map<String, List<T>> run() throws Exception {
    return run(Sizes.warmups(), Sizes.runs(), Sizes.count("long.runs"));
  }

  /**
   * Runs so many rounds that do not count, and so many that do, however long they take.
   *
   * @return what is known of the counted runs, by the contestants in the order that they entered
   */
  public Map<String, List<T>> run(int warmups, int runs) throws Exception {
    return run(warmups, runs, runs);
  }

  private Map<String, List<T>> run(int warmups, int runs, int longRuns) throws Exception {
    double longRound = Double.parseDouble(Sizes.text("long.round"));
    List<String> names = new ArrayList<>(contestants.keySet());
    Map<String, List<T>> results = new LinkedHashMap<>();
    names.forEach(name -> results.put(name, new ArrayList<>()));
    int counted = runs;
    for (int round = 0; round < warmups + counted; round++) {
      long start = System.nanoTime();
      for (int turn = 0; turn < names.size(); turn++) {
        String name = names.get((round + turn) % names.size());
        T result = contestants.get(name).run(round);
        if (round >= warmups) {
          results.get(name).add(result);
        }
      }
      if ((System.nanoTime() - start) / 1e9 > longRound) {
        counted = Math.min(runs, longRuns);
      }
    }
    return results;
  }
}
