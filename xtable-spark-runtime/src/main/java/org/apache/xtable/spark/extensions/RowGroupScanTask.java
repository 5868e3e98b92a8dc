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
package org.apache.xtable.spark.extensions;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;

/**
 * A task that reads some row groups of its file. It does so by giving, when Iceberg splits it, only
 * the splits of those: Iceberg makes one split for each split offset of a file, and such a split
 * cannot be split again. Deletes, positions and residuals are those of the original.
 *
 * <p>Immutable.
 */
final class RowGroupScanTask implements FileScanTask {
  private final FileScanTask original;
  private final Set<Long> offsets;
  private final long rows;
  private final List<FileScanTask> splits;

  /**
   * @param offsets the split offsets of the row groups to read
   * @param rows how many rows those have
   */
  RowGroupScanTask(FileScanTask original, Set<Long> offsets, long rows) {
    this.original = original;
    this.offsets = offsets;
    this.rows = rows;
    List<FileScanTask> all = new ArrayList<>();
    original.split(original.length()).forEach(all::add);
    this.splits =
        all.stream()
            .filter(split -> offsets.contains(split.start()))
            .collect(Collectors.toUnmodifiableList());
    if (splits.size() != offsets.size()) {
      throw new IllegalArgumentException(
          "Cannot split " + file().location() + " at " + offsets + ": it splits into " + all);
    }
  }

  int rowGroups() {
    return offsets.size();
  }

  /** The bytes of the row groups to read. */
  long rowGroupBytes() {
    return splits.stream().mapToLong(FileScanTask::length).sum();
  }

  /** The target does not matter: a file with split offsets is split at each of them. */
  @Override
  public Iterable<FileScanTask> split(long targetSplitSize) {
    return splits;
  }

  @Override
  public long sizeBytes() {
    return rowGroupBytes() + original.sizeBytes() - original.length();
  }

  @Override
  public long estimatedRowsCount() {
    return rows;
  }

  @Override
  public DataFile file() {
    return original.file();
  }

  @Override
  public List<DeleteFile> deletes() {
    return original.deletes();
  }

  @Override
  public int filesCount() {
    return original.filesCount();
  }

  @Override
  public Schema schema() {
    return original.schema();
  }

  @Override
  public PartitionSpec spec() {
    return original.spec();
  }

  @Override
  public long start() {
    return original.start();
  }

  @Override
  public long length() {
    return original.length();
  }

  @Override
  public Expression residual() {
    return original.residual();
  }

  @Override
  public String toString() {
    return "RowGroupScanTask(" + file().location() + " at " + offsets + ")";
  }
}
