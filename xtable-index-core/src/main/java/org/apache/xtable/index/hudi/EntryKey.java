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
import org.apache.hudi.metadata.HoodieTableMetadataUtil;
import org.apache.hudi.metadata.SecondaryIndexKeyUtils;
import org.apache.xtable.index.KeyEncoding;

/**
 * The key of an index entry in UTF-8: {@code <key>$<relative file path>_<row position>}, where both
 * halves are escaped by Hudi's {@code SecondaryIndexKeyUtils} and the key is in the form of {@link
 * KeyEncoding}.
 *
 * <p>Since no char from U+D800 on is in the first half, and all entries of one key have the same
 * first half, entries sorted by their bytes are sorted as Hudi sorts them wherever it seeks.
 */
final class EntryKey {
  static final byte SEPARATOR = '$';
  static final byte ESCAPE = '\\';

  private EntryKey() {}

  /**
   * The first half, with the separator: what all entries of a value start with, and what a lookup
   * seeks.
   *
   * @param value a value of the indexed column, see {@link KeyEncoding#encode}
   */
  static String prefix(Object value) {
    return SecondaryIndexKeyUtils.getEscapedSecondaryKeyPrefixFromSecondaryKey(
        KeyEncoding.encode(value));
  }

  /**
   * The file group that holds all entries of a value.
   *
   * @param prefix what {@link #prefix} gave for the value
   */
  static int fileGroup(String prefix, int fileGroups) {
    return HoodieTableMetadataUtil.mapRecordKeyToFileGroupIndex(prefix, fileGroups);
  }

  /** The first bytes of the second half, those of the file. */
  static byte[] fileSuffix(String relativePath) {
    return SecondaryIndexKeyUtils.escapeSpecialChars(relativePath + "_")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The file of a record key, whose own name may hold underscores. */
  static String file(String recordKey) {
    return recordKey.substring(0, separator(recordKey));
  }

  static long position(String recordKey) {
    return Long.parseLong(recordKey.substring(separator(recordKey) + 1));
  }

  private static int separator(String recordKey) {
    int separator = recordKey.lastIndexOf('_');
    if (separator < 0) {
      throw new IllegalStateException(
          "Cannot read index entry: '" + recordKey + "' is not <file>_<row position>");
    }
    return separator;
  }
}
