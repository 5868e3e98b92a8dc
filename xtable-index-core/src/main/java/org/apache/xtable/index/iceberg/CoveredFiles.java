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
package org.apache.xtable.index.iceberg;

import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.xtable.index.DataPath;

/**
 * Tells which data files an index covers: Parquet files below the data path. The sync indexes
 * exactly these, and a query may leave out no others; both ask here.
 *
 * <p>Not covered are encrypted files, whose values an index would show to all who may read it,
 * files in the index's own folder, and files whose path below the data path has an empty, {@code .}
 * or {@code ..} segment: Iceberg takes locations as they are written, while Hadoop, and so Hudi,
 * would take such a path for another one.
 *
 * <p>Immutable.
 */
public final class CoveredFiles implements Serializable {
  private static final long serialVersionUID = 1L;

  private final DataPath dataPath;

  public CoveredFiles(DataPath dataPath) {
    this.dataPath = Objects.requireNonNull(dataPath, "dataPath is null");
  }

  public DataPath dataPath() {
    return dataPath;
  }

  /**
   * The path, relative to the data path, under which the index knows a file; empty if the index
   * does not cover it.
   */
  public Optional<String> relativePath(ContentFile<?> file) {
    return isReadable(file)
        ? dataPath.relativize(file.location()).filter(CoveredFiles::isPlain)
        : Optional.empty();
  }

  private static boolean isReadable(ContentFile<?> file) {
    return file.content() == FileContent.DATA
        && file.format() == FileFormat.PARQUET
        && file.keyMetadata() == null;
  }

  public boolean covers(ContentFile<?> file) {
    return relativePath(file).isPresent();
  }

  private static boolean isPlain(String relativePath) {
    int start = 0;
    while (start <= relativePath.length()) {
      int slash = relativePath.indexOf('/', start);
      int end = slash < 0 ? relativePath.length() : slash;
      if (!isPlainSegment(relativePath, start, end)) {
        return false;
      }
      start = end + 1;
    }
    return true;
  }

  private static boolean isPlainSegment(String path, int start, int end) {
    switch (end - start) {
      case 0:
        return false;
      case 1:
        return path.charAt(start) != '.';
      case 2:
        return path.charAt(start) != '.' || path.charAt(start + 1) != '.';
      default:
        return start > 0 || !path.substring(0, end).equals(DataPath.INDEX_FOLDER);
    }
  }
}
