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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.xtable.index.IndexException;

/**
 * A data block of an HFile, unpacked: entries in ascending order of their key bytes.
 *
 * <p>Form of an entry (HFile version 3 as Hudi's {@code HFileDataBlock} writes it): length of the
 * key part (4 bytes), length of the value (4), length of the key (2), the key, 10 bytes that Hudi
 * does not use, the value, one byte for a version.
 *
 * <p>Immutable.
 */
final class EntryBlock implements EntryCache.Item {
  private static final int KEY_OFFSET = 10;
  private static final int LENGTHS = 8;
  private static final int VERSION = 1;

  /** Bytes of the key part that are not the key. */
  private static final int KEY_PART_EXTRA = 12;

  private final byte[] content;
  private final int[] entries;

  EntryBlock(byte[] content) {
    this.content = content;
    this.entries = entries(content);
  }

  private static int[] entries(byte[] content) {
    ByteBuffer buffer = ByteBuffer.wrap(content);
    int[] starts = new int[64];
    int count = 0;
    int at = 0;
    while (at < content.length) {
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, count * 2);
      }
      starts[count++] = at;
      int keyPart = buffer.getInt(at);
      int value = buffer.getInt(at + 4);
      if (keyPart < 0 || value < 0) {
        throw new IndexException("Cannot read index: an entry has a negative length");
      }
      at = Math.addExact(Math.addExact(at, keyPart), Math.addExact(value, LENGTHS + VERSION));
    }
    if (at != content.length) {
      throw new IndexException("Cannot read index: entries run past the end of their block");
    }
    return Arrays.copyOf(starts, count);
  }

  @Override
  public int bytes() {
    return content.length + 4 * entries.length;
  }

  /**
   * Gives what follows a prefix in the keys that start with it.
   *
   * @return whether keys that start with the prefix may go on in the next block
   */
  boolean find(byte[] prefix, Consumer<String> recordKeys) {
    int low = 0;
    int high = entries.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, prefix) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int entry = low;
    while (entry < entries.length && startsWith(entry, prefix)) {
      int start = entries[entry] + KEY_OFFSET;
      recordKeys.accept(
          new String(
              content,
              start + prefix.length,
              keyLength(entry) - prefix.length,
              StandardCharsets.UTF_8));
      entry++;
    }
    return entry == entries.length;
  }

  /** How many entries the block has. */
  int size() {
    return entries.length;
  }

  byte[] key(int entry) {
    int start = entries[entry] + KEY_OFFSET;
    if (ByteBuffer.wrap(content).getInt(entries[entry]) != KEY_PART_EXTRA + keyLength(entry)) {
      throw new IndexException("Cannot read index: an entry has a key that does not fit");
    }
    return Arrays.copyOfRange(content, start, start + keyLength(entry));
  }

  boolean hasValue(int entry, byte[] value) {
    int start = entries[entry] + LENGTHS + KEY_PART_EXTRA + keyLength(entry);
    return ByteBuffer.wrap(content).getInt(entries[entry] + 4) == value.length
        && Arrays.equals(content, start, start + value.length, value, 0, value.length);
  }

  private int compare(int entry, byte[] key) {
    int start = entries[entry] + KEY_OFFSET;
    return Arrays.compareUnsigned(content, start, start + keyLength(entry), key, 0, key.length);
  }

  private boolean startsWith(int entry, byte[] prefix) {
    int start = entries[entry] + KEY_OFFSET;
    return keyLength(entry) >= prefix.length
        && Arrays.equals(content, start, start + prefix.length, prefix, 0, prefix.length);
  }

  private int keyLength(int entry) {
    int at = entries[entry] + LENGTHS;
    return ((content[at] & 0xFF) << 8) | (content[at + 1] & 0xFF);
  }
}
