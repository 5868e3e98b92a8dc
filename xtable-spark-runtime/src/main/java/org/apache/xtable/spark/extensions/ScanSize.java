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

import java.util.List;
import java.util.Locale;
import org.apache.iceberg.ScanTask;

/** How much a scan reads: data files, their row groups, and bytes. Immutable. */
final class ScanSize {
  private static final String[] UNITS = {"KB", "MB", "GB", "TB", "PB", "EB"};

  private final int files;
  private final long rowGroups;
  private final long bytes;

  private ScanSize(int files, long rowGroups, long bytes) {
    this.files = files;
    this.rowGroups = rowGroups;
    this.bytes = bytes;
  }

  /**
   * @param tasks one for each file; what a task has to read besides its data file is not counted
   */
  static ScanSize of(List<? extends ScanTask> tasks) {
    long rowGroups = 0;
    long bytes = 0;
    for (ScanTask task : tasks) {
      if (task instanceof RowGroupScanTask) {
        rowGroups += ((RowGroupScanTask) task).rowGroups();
        bytes += ((RowGroupScanTask) task).rowGroupBytes();
      } else if (task.isFileScanTask()) {
        rowGroups += RowGroupSelector.rowGroups(task.asFileScanTask().file());
        bytes += task.asFileScanTask().length();
      } else {
        rowGroups++;
        bytes += task.sizeBytes();
      }
    }
    return new ScanSize(tasks.size(), rowGroups, bytes);
  }

  int files() {
    return files;
  }

  /** A file counts as one where Iceberg does not know its split offsets. */
  long rowGroups() {
    return rowGroups;
  }

  long bytes() {
    return bytes;
  }

  String readableBytes() {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes / 1024.0;
    int unit = 0;
    while (value >= 1024) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }

  @Override
  public String toString() {
    return files + " files, " + readableBytes();
  }
}
