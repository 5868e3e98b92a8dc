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

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.xtable.index.KeyEncoding;

/**
 * Makes the entry keys of one data file after another. Keys of plain ASCII, which most are, are
 * made from their bytes without a detour through strings.
 *
 * <p>Not thread-safe.
 */
public final class EntryKeys {
  private final int fileGroups;
  private byte[] fileSuffix = new byte[0];
  private byte[] key = new byte[0];
  private int fileGroup;

  /**
   * @param fileGroups how many file groups the index has
   */
  public EntryKeys(int fileGroups) {
    this.fileGroups = fileGroups;
  }

  /** Goes on to a file, given by its path relative to the data path. */
  public void enterFile(String relativePath) {
    fileSuffix = EntryKey.fileSuffix(relativePath);
  }

  /**
   * Makes the entry of a string value.
   *
   * @param utf8 the value in UTF-8
   * @param position zero-based number of the row in the file
   */
  public void make(byte[] utf8, long position) {
    if (!isItsOwnKey(utf8)) {
      make(new String(utf8, StandardCharsets.UTF_8), position);
      return;
    }
    byte[] prefix = Arrays.copyOf(utf8, utf8.length + 1);
    prefix[utf8.length] = EntryKey.SEPARATOR;
    fileGroup = EntryKey.fileGroup(new String(prefix, StandardCharsets.ISO_8859_1), fileGroups);
    finish(prefix, position);
  }

  /**
   * Makes the entry of a value.
   *
   * @param value see {@link org.apache.xtable.index.KeyEncoding#encode}
   * @param position zero-based number of the row in the file
   */
  public void make(Object value, long position) {
    String prefix = EntryKey.prefix(value);
    fileGroup = EntryKey.fileGroup(prefix, fileGroups);
    finish(prefix.getBytes(StandardCharsets.UTF_8), position);
  }

  /** The entry key that was made last, in UTF-8. */
  public byte[] key() {
    return key;
  }

  /** The file group of the entry that was made last. */
  public int fileGroup() {
    return fileGroup;
  }

  private void finish(byte[] prefix, long position) {
    byte[] digits = Long.toString(position).getBytes(StandardCharsets.US_ASCII);
    key = Arrays.copyOf(prefix, prefix.length + fileSuffix.length + digits.length);
    System.arraycopy(fileSuffix, 0, key, prefix.length, fileSuffix.length);
    System.arraycopy(digits, 0, key, prefix.length + fileSuffix.length, digits.length);
  }

  /**
   * Whether a value is short ASCII without a char that is escaped, so that its bytes are those of
   * its key.
   */
  private static boolean isItsOwnKey(byte[] utf8) {
    if (utf8.length > KeyEncoding.MAX_WHOLE_CHARS) {
      return false;
    }
    for (byte b : utf8) {
      if (b <= 0 || b == EntryKey.SEPARATOR || b == EntryKey.ESCAPE) {
        return false;
      }
    }
    return true;
  }
}
