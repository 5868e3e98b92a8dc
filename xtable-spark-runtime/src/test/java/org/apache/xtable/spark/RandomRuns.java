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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs of a randomised test, each with a seed of its own, and what they covered together. There is
 * one, of {@code xtable.test.seed} or a fresh seed; or as many of fresh seeds as fit into {@code
 * xtable.test.minutes}. Seeds are printed before a run, and the sums after all, failed or not.
 */
public final class RandomRuns {
  private static final long MINUTES = Long.getLong("xtable.test.minutes", 0);

  private final String test;
  private final Map<String, Long> covered = new LinkedHashMap<>();

  private RandomRuns(String test) {
    this.test = test;
  }

  /** One run; all that is random in it follows from the seed. */
  public interface Run {
    void run(long seed, RandomRuns runs) throws Exception;
  }

  /** Runs a test, and gives what it covered. */
  public static RandomRuns of(Class<?> test, Run run) throws Exception {
    RandomRuns runs = new RandomRuns(test.getSimpleName());
    runs.runAll(run);
    return runs;
  }

  private void runAll(Run run) throws Exception {
    long start = System.nanoTime();
    long end = start + TimeUnit.MINUTES.toNanos(MINUTES);
    long seed = Long.getLong("xtable.test.seed", System.nanoTime());
    try {
      do {
        System.out.println(test + ": replay with -Dxtable.test.seed=" + seed);
        cover("runs", 1);
        run.run(seed, this);
        seed = new Random(seed).nextLong();
      } while (System.nanoTime() - end < 0);
    } finally {
      System.out.printf(
          "%s: covered in %.1f minutes: %s%n",
          test, (System.nanoTime() - start) / (double) TimeUnit.MINUTES.toNanos(1), this);
    }
  }

  /** Adds to what was covered. */
  public void cover(String what, long count) {
    covered.merge(what, count, Long::sum);
  }

  public long covered(String what) {
    return covered.getOrDefault(what, 0L);
  }

  @Override
  public String toString() {
    return covered.entrySet().stream()
        .map(entry -> entry.getValue() + " " + entry.getKey())
        .collect(Collectors.joining(", "));
  }
}
