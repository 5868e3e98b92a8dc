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

import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * How the covered files of the current snapshot differ from those that the index has.
 *
 * <p>A file that is in both is in neither list, however the table came from one to the other.
 *
 * <p>Immutable.
 */
public final class FileChanges {
  private final List<CoveredFile> added;
  private final Set<String> removed;
  private final long liveFiles;
  private final long liveRows;

  FileChanges(List<CoveredFile> added, Set<String> removed, long liveFiles, long liveRows) {
    this.added = Collections.unmodifiableList(added);
    this.removed = Collections.unmodifiableSet(removed);
    this.liveFiles = liveFiles;
    this.liveRows = liveRows;
  }

  /** Files to index, each once. */
  public List<CoveredFile> added() {
    return added;
  }

  /** Files, by their relative paths, whose entries became garbage. */
  public Set<String> removed() {
    return removed;
  }

  /** Covered files of the current snapshot. */
  public long liveFiles() {
    return liveFiles;
  }

  /** Rows of those files, those that delete files hide included. */
  public long liveRows() {
    return liveRows;
  }

  @Override
  public String toString() {
    return String.format("FileChanges(%d added, %d removed)", added.size(), removed.size());
  }
}
