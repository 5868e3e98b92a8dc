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

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The times of several runs of the same, in milliseconds.
 *
 * <p>Immutable.
 */
public final class Sample {
  private final List<Double> sorted;

  private Sample(List<Double> sorted) {
    this.sorted = sorted;
  }

  /**
   * @param milliseconds at least one
   */
  public static Sample of(Collection<Double> milliseconds) {
    if (milliseconds.isEmpty()) {
      throw new IllegalArgumentException("Cannot make a sample of no runs");
    }
    return new Sample(milliseconds.stream().sorted().collect(Collectors.toList()));
  }

  public double median() {
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public double min() {
    return sorted.get(0);
  }

  public double max() {
    return sorted.get(sorted.size() - 1);
  }

  public int runs() {
    return sorted.size();
  }
}
