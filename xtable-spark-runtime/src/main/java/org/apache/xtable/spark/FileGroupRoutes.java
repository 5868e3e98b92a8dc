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

import java.io.Serializable;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;

/**
 * Gives each file group a number that Spark's hash partitioning sends to a partition of its own, of
 * the same number: Spark 3.5 cannot partition rows by a given partition number.
 *
 * <p>Immutable.
 */
final class FileGroupRoutes implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The seed of Spark's {@code HashPartitioning}. */
  private static final int SEED = 42;

  private final int[] routes;

  FileGroupRoutes(int fileGroups) {
    this.routes = new int[fileGroups];
    boolean[] found = new boolean[fileGroups];
    int missing = fileGroups;
    for (int candidate = 0; missing > 0; candidate++) {
      int partition = Math.floorMod(Murmur3_x86_32.hashInt(candidate, SEED), fileGroups);
      if (!found[partition]) {
        found[partition] = true;
        routes[partition] = candidate;
        missing--;
      }
    }
  }

  int fileGroups() {
    return routes.length;
  }

  int route(int fileGroup) {
    return routes[fileGroup];
  }
}
