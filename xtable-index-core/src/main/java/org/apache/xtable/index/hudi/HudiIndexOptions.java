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
package org.apache.xtable.index.hudi;

/**
 * How an index is laid out and written.
 *
 * <p>Immutable.
 */
public final class HudiIndexOptions {
  /**
   * Entries of one file group that the default layout aims at; about 100 bytes each, well below 2
   * GB.
   */
  private static final long ENTRIES_PER_FILE_GROUP = 1_000_000L;

  private static final int OUTGROWN = 4;

  private final int minFileGroups;
  private final int maxFileGroups;

  /**
   * @param minFileGroups least number of file groups of the index, at least 1
   * @param maxFileGroups greatest number of file groups of the index, at least {@code
   *     minFileGroups}
   */
  public HudiIndexOptions(int minFileGroups, int maxFileGroups) {
    check(minFileGroups >= 1, "minFileGroups must be at least 1 but is " + minFileGroups);
    check(
        maxFileGroups >= minFileGroups,
        "maxFileGroups must be at least " + minFileGroups + " but is " + maxFileGroups);
    this.minFileGroups = minFileGroups;
    this.maxFileGroups = maxFileGroups;
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException("Cannot write index: " + message);
    }
  }

  /** The number of file groups for an index of so many rows; it is fixed until a rebuild. */
  public int fileGroups(long rows) {
    long wanted = (rows + ENTRIES_PER_FILE_GROUP - 1) / ENTRIES_PER_FILE_GROUP;
    return (int) Math.max(minFileGroups, Math.min(maxFileGroups, wanted));
  }

  /** Whether each file group would have several times the entries that it is meant to have. */
  boolean isOutgrown(int fileGroups, long rows) {
    return fileGroups(rows) >= OUTGROWN * fileGroups;
  }
}
