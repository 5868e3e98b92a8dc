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

import org.apache.hudi.metadata.SecondaryIndexKeyUtils;

/**
 * The key of an index entry, {@code <key>$<relative file path>_<row position>}, as {@link
 * org.apache.hudi.metadata.SecondaryIndexKeyUtils} escapes it.
 */
final class EntryKey {
  private EntryKey() {}

  static String of(String encodedKey, String relativePath, long position) {
    return SecondaryIndexKeyUtils.constructSecondaryIndexKey(
        encodedKey, recordKey(relativePath, position));
  }

  static String recordKey(String relativePath, long position) {
    return relativePath + "_" + position;
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
