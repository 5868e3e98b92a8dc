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

import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileFormat;
import org.apache.xtable.index.DataPath;

/**
 * Which data files an index covers. The sync and the queries must agree on it: a query reads every
 * file that is not covered, and trusts the index about every other.
 */
public final class CoveredFiles {
  private CoveredFiles() {}

  /** Whether the values of a data file are in the index: it is Parquet, below the data path. */
  public static boolean isCovered(DataPath dataPath, ContentFile<?> file) {
    return file.format() == FileFormat.PARQUET && dataPath.relativize(file.location()).isPresent();
  }
}
