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
package org.apache.iceberg.spark.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.PartitionScanTask;
import org.apache.iceberg.ScanTask;
import org.apache.iceberg.ScanTaskGroup;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.spark.sql.connector.read.Scan;

/** Lets tests look into Iceberg's scans. */
public final class ScanProbe {
  private ScanProbe() {}

  /** The data files that a scan hands to Spark to read. */
  public static Set<String> files(Scan scan) {
    return ((SparkPartitioningAwareScan<?>) scan)
        .taskGroups().stream()
            .map(ScanTaskGroup::tasks)
            .flatMap(java.util.Collection::stream)
            .map(ScanTask::asFileScanTask)
            .map(task -> task.file().location())
            .collect(Collectors.toSet());
  }

  /** All files of a table as a scan of which Iceberg did not report the snapshot. */
  public static PlannedScan ofUnknownSnapshot(Table table, Expression filter) {
    List<PartitionScanTask> tasks = new ArrayList<>();
    table.newBatchScan().planFiles().forEach(task -> tasks.add((PartitionScanTask) task));
    return new PlannedScan(
        table, table.schema(), List.of(filter), false, false, OptionalLong.empty(), tasks);
  }

  /** What the pruner made of a scan, or empty for a plain Iceberg scan. */
  public static Optional<PrunedScan> pruned(Scan scan) {
    return scan instanceof IndexAwareBatchScan
        ? ((IndexAwareBatchScan) scan).pruned()
        : Optional.empty();
  }
}
