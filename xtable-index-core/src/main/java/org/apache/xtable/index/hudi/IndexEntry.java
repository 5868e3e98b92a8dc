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

import java.io.Serializable;

/**
 * One entry of an index: a key, a file that has it and the position of the first row with it in a
 * row group.
 *
 * <p>Immutable.
 */
public final class IndexEntry implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String encodedKey;
  private final String relativePath;
  private final long position;

  /**
   * @param encodedKey the key as {@link org.apache.xtable.index.KeyEncoding#encode} gives it
   * @param relativePath the file, relative to the data path
   * @param position zero-based number of the row in the file
   */
  public IndexEntry(String encodedKey, String relativePath, long position) {
    this.encodedKey = encodedKey;
    this.relativePath = relativePath;
    this.position = position;
  }

  String recordKey() {
    return EntryKey.recordKey(relativePath, position);
  }

  String encodedKey() {
    return encodedKey;
  }
}
