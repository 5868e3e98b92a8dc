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
import java.util.Objects;

/**
 * A sorted run of entries of one file group: an HFile, which is a file by itself or a part of a log
 * file.
 *
 * <p>Immutable.
 */
final class EntryRun implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int fileGroup;
  private final String fileName;
  private final long offset;
  private final long length;

  /**
   * @param fileName the file, in the folder of the index partition
   * @param offset where in the file the HFile begins
   * @param length bytes of the HFile
   */
  EntryRun(int fileGroup, String fileName, long offset, long length) {
    this.fileGroup = fileGroup;
    this.fileName = Objects.requireNonNull(fileName, "fileName is null");
    this.offset = offset;
    this.length = length;
  }

  int fileGroup() {
    return fileGroup;
  }

  String fileName() {
    return fileName;
  }

  long offset() {
    return offset;
  }

  long length() {
    return length;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof EntryRun)) {
      return false;
    }
    EntryRun that = (EntryRun) other;
    return fileGroup == that.fileGroup
        && offset == that.offset
        && length == that.length
        && fileName.equals(that.fileName);
  }

  @Override
  public int hashCode() {
    return Objects.hash(fileGroup, fileName, offset, length);
  }

  @Override
  public String toString() {
    return fileName + "[" + offset + ", +" + length + "]";
  }
}
