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

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Sorted keys, equal ones once, and how many there were. Not thread-safe. */
final class DistinctKeys implements Iterator<byte[]> {
  private final Iterator<byte[]> sortedKeys;
  private byte[] next;
  private byte[] last;
  private long count;

  DistinctKeys(Iterator<byte[]> sortedKeys) {
    this.sortedKeys = sortedKeys;
  }

  @Override
  public boolean hasNext() {
    while (next == null && sortedKeys.hasNext()) {
      byte[] candidate = sortedKeys.next();
      int order = last == null ? -1 : Arrays.compareUnsigned(last, candidate);
      if (order > 0) {
        throw new IllegalStateException("Cannot write index entries: they are not sorted");
      }
      next = order < 0 ? candidate : null;
    }
    return next != null;
  }

  @Override
  public byte[] next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    last = next;
    next = null;
    count++;
    return last;
  }

  /** How many keys were given out. */
  long count() {
    return count;
  }
}
