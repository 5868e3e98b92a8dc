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

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Where the keys of a lookup are: files, and in each the positions of the rows that stand for the
 * row groups which hold a key.
 *
 * <p>A position is the zero-based number, in its file, of the first row of a row group that has the
 * key. It selects the row group; other rows of that group may have the key too.
 *
 * <p>Immutable.
 */
public final class KeyLocations {
  private static final KeyLocations NONE = new KeyLocations(Collections.emptyMap());

  private final Map<String, long[]> positionsByFile;

  private KeyLocations(Map<String, long[]> positionsByFile) {
    this.positionsByFile = positionsByFile;
  }

  /** No file holds any of the keys. */
  public static KeyLocations none() {
    return NONE;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Paths relative to the data path, as {@link DataPath#relativize} gives them. */
  public Set<String> files() {
    return Collections.unmodifiableSet(positionsByFile.keySet());
  }

  public boolean hasFile(String relativePath) {
    return positionsByFile.containsKey(relativePath);
  }

  /**
   * The positions in a file, ascending and distinct; empty for a file that holds none of the keys.
   */
  public long[] positions(String relativePath) {
    long[] positions = positionsByFile.get(relativePath);
    return positions == null ? new long[0] : positions.clone();
  }

  @Override
  public String toString() {
    return "KeyLocations(" + positionsByFile.size() + " files)";
  }

  /** Collects locations in any order. Not thread-safe. */
  public static final class Builder {
    private final Map<String, long[]> positions = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    private Builder() {}

    public Builder add(String relativePath, long position) {
      int count = counts.merge(relativePath, 1, Integer::sum);
      long[] current = positions.get(relativePath);
      if (current == null) {
        current = new long[1];
        positions.put(relativePath, current);
      } else if (current.length < count) {
        current = Arrays.copyOf(current, current.length * 2);
        positions.put(relativePath, current);
      }
      current[count - 1] = position;
      return this;
    }

    public KeyLocations build() {
      if (positions.isEmpty()) {
        return none();
      }
      Map<String, long[]> distinct = new HashMap<>();
      positions.forEach(
          (file, padded) ->
              distinct.put(
                  file, Arrays.stream(padded, 0, counts.get(file)).sorted().distinct().toArray()));
      return new KeyLocations(distinct);
    }
  }
}
