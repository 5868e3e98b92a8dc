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
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionScanTask;
import org.apache.iceberg.io.FileIO;
import org.apache.xtable.index.KeyLocations;
import org.apache.xtable.index.iceberg.CoveredFiles;
import org.apache.xtable.index.iceberg.RowGroups;

/**
 * Narrows tasks to the row groups that hold keys. The index knows rows, Iceberg knows where row
 * groups begin, and only a file's footer knows which rows a row group has; so footers are read, but
 * only of files that have several row groups of which some may be left out.
 *
 * <p>Immutable.
 */
final class RowGroupSelector {
  private final Footers footers;
  private final CoveredFiles covered;
  private final KeyLocations locations;

  RowGroupSelector(Footers footers, CoveredFiles covered, KeyLocations locations) {
    this.footers = footers;
    this.covered = covered;
    this.locations = locations;
  }

  /**
   * @param tasks of files that hold keys or are not covered
   * @return a task for each of them, in the same order
   */
  List<PartitionScanTask> narrow(List<PartitionScanTask> tasks, FileIO io) {
    List<DataFile> files = new ArrayList<>();
    for (PartitionScanTask task : tasks) {
      if (mayBeNarrowed(task)) {
        files.add(task.asFileScanTask().file());
      }
    }
    if (files.isEmpty()) {
      return tasks;
    }
    Map<String, RowGroups> rowGroups = footers.read(io, files);
    List<PartitionScanTask> narrowed = new ArrayList<>(tasks.size());
    for (PartitionScanTask task : tasks) {
      RowGroups groups =
          mayBeNarrowed(task) ? rowGroups.get(task.asFileScanTask().file().location()) : null;
      narrowed.add(groups == null ? task : narrow(task.asFileScanTask(), groups));
    }
    return narrowed;
  }

  /** How many row groups a file has, as far as Iceberg knows. */
  static int rowGroups(DataFile file) {
    return file.splitOffsets() == null ? 1 : Math.max(1, file.splitOffsets().size());
  }

  private boolean mayBeNarrowed(PartitionScanTask task) {
    if (!task.isFileScanTask()) {
      return false;
    }
    FileScanTask fileTask = task.asFileScanTask();
    DataFile file = fileTask.file();
    return rowGroups(file) > 1
        && fileTask.start() == 0
        && fileTask.length() == file.fileSizeInBytes()
        && covered.relativePath(file).map(locations::hasFile).orElse(false);
  }

  private PartitionScanTask narrow(FileScanTask task, RowGroups groups) {
    DataFile file = task.file();
    if (!areAt(groups, file.splitOffsets()) || groups.rows() != file.recordCount()) {
      return task; // whoever wrote the metadata saw another file
    }
    Set<Integer> selected = new TreeSet<>();
    for (long position : locations.positions(covered.relativePath(file).orElseThrow())) {
      if (position >= groups.rows()) {
        return task;
      }
      selected.add(groups.groupWith(position));
    }
    if (selected.size() == groups.count()) {
      return task;
    }
    Set<Long> offsets = new TreeSet<>();
    selected.forEach(group -> offsets.add(groups.offset(group)));
    return new RowGroupScanTask(task, offsets, selected.stream().mapToLong(groups::rows).sum());
  }

  private static boolean areAt(RowGroups groups, List<Long> offsets) {
    if (groups.count() != offsets.size()) {
      return false;
    }
    for (int group = 0; group < groups.count(); group++) {
      boolean ascending = group == 0 || groups.offset(group - 1) < groups.offset(group);
      if (!ascending || groups.offset(group) != offsets.get(group)) {
        return false;
      }
    }
    return true;
  }
}
