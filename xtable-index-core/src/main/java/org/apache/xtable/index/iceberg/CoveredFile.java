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
import org.apache.iceberg.DataFile;

/**
 * A data file that the index covers, and the name by which the index knows it. The Iceberg file
 * comes without column statistics.
 *
 * <p>Immutable.
 */
public final class CoveredFile implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String relativePath;
  private final DataFile dataFile;

  public CoveredFile(String relativePath, DataFile dataFile) {
    this.relativePath = Objects.requireNonNull(relativePath, "relativePath is null");
    this.dataFile = Objects.requireNonNull(dataFile, "dataFile is null");
  }

  /** The path below the data path. */
  public String relativePath() {
    return relativePath;
  }

  /** Iceberg's entry for it: location, size, rows, split offsets, partition. */
  public DataFile dataFile() {
    return dataFile;
  }

  /** Rows in the file, those that delete files hide included. */
  public long rows() {
    return dataFile.recordCount();
  }

  public long bytes() {
    return dataFile.fileSizeInBytes();
  }

  @Override
  public String toString() {
    return relativePath;
  }
}
