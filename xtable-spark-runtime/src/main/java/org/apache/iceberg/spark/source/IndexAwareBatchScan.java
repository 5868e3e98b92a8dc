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

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.BatchScan;
import org.apache.iceberg.PartitionScanTask;
import org.apache.iceberg.Scan;
import org.apache.iceberg.ScanTask;
import org.apache.iceberg.ScanTaskGroup;
import org.apache.iceberg.Table;
import org.apache.iceberg.metrics.InMemoryMetricsReporter;
import org.apache.iceberg.metrics.ScanReport;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.spark.SparkReadConf;
import org.apache.iceberg.spark.SparkReadOptions;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A batch scan that lets a {@link ScanPruner} select among its files, right after Iceberg planned
 * them and before anything (statistics, partitioning, splits) was derived from them.
 *
 * <p>Two scans with the same filters are equal, as Iceberg has it, whatever was pruned: both yield
 * all rows that pass the filters.
 */
final class IndexAwareBatchScan extends SparkBatchQueryScan {
  private final SparkBatchQueryScan original;
  private final InMemoryMetricsReporter planning;
  private final boolean timeTravel;
  private final ScanPruner pruner;

  private PrunedScan pruned = null; // set by the first call of tasks()
  private boolean broken = false;

  IndexAwareBatchScan(
      SparkSession spark,
      Table table,
      SparkBatchQueryScan original,
      SparkReadConf readConf,
      ScanPruner pruner) {
    this(
        spark,
        table,
        original,
        readConf,
        isTimeTravel(readConf),
        pruner,
        new InMemoryMetricsReporter());
  }

  /**
   * For the rows that a merge-on-read command changes. Iceberg pins such a scan to the snapshot
   * that is the current one when it is built, so that the commit can be checked against that one;
   * this is not time travel.
   */
  static IndexAwareBatchScan ofRowLevelCommand(
      SparkSession spark,
      Table table,
      SparkBatchQueryScan original,
      CaseInsensitiveStringMap options,
      ScanPruner pruner) {
    String branch = original.branch();
    CaseInsensitiveStringMap pinned =
        Spark3Util.setOption(
            SparkReadOptions.SNAPSHOT_ID, original.snapshotId().toString(), options);
    return new IndexAwareBatchScan(
        spark,
        table,
        original,
        new SparkReadConf(spark, table, branch, pinned),
        isTimeTravel(new SparkReadConf(spark, table, branch, options)),
        pruner,
        new InMemoryMetricsReporter());
  }

  private IndexAwareBatchScan(
      SparkSession spark,
      Table table,
      SparkBatchQueryScan original,
      SparkReadConf readConf,
      boolean timeTravel,
      ScanPruner pruner,
      InMemoryMetricsReporter planning) {
    super(
        spark,
        table,
        reportingTo(planning, original.scan()),
        readConf,
        original.expectedSchema(),
        original.filterExpressions(),
        null); // the driver metrics are those of the original
    this.original = original;
    this.planning = planning;
    this.timeTravel = timeTravel;
    this.pruner = pruner;
  }

  /** What the pruner left; empty before the files were planned. */
  synchronized Optional<PrunedScan> pruned() {
    return Optional.ofNullable(pruned);
  }

  /** Adds a reporter to those that the scan has: Iceberg combines them. */
  private static Scan<?, ? extends ScanTask, ? extends ScanTaskGroup<?>> reportingTo(
      InMemoryMetricsReporter reporter,
      Scan<?, ? extends ScanTask, ? extends ScanTaskGroup<?>> scan) {
    return scan instanceof BatchScan ? ((BatchScan) scan).metricsReporter(reporter) : scan;
  }

  private static boolean isTimeTravel(SparkReadConf readConf) {
    return readConf.snapshotId() != null
        || readConf.asOfTimestamp() != null
        || readConf.branch() != null
        || readConf.tag() != null
        || readConf.startSnapshotId() != null
        || readConf.endSnapshotId() != null;
  }

  @Override
  protected synchronized List<PartitionScanTask> tasks() {
    List<PartitionScanTask> planned = super.tasks();
    if (pruned != null || broken) {
      return planned;
    }
    try {
      this.pruned = prune(planned);
    } catch (LinkageError e) {
      this.broken = true;
      pruner.bridgeBroken(e);
    }
    return super.tasks();
  }

  private PrunedScan prune(List<PartitionScanTask> planned) {
    PrunedScan selection =
        pruner.prune(
            new PlannedScan(
                table(),
                expectedSchema(),
                filterExpressions(),
                caseSensitive(),
                timeTravel,
                plannedSnapshotId(),
                planned));
    // Not their number: tasks may be replaced by such as read less of the same file.
    if (!selection.tasks().equals(planned)) {
      resetTasks(selection.tasks());
    }
    // The write of a row-level command asks the original for its deletes: it need not plan again.
    original.resetTasks(selection.tasks());
    return selection;
  }

  /**
   * The snapshot that planning used. Iceberg looks it up when it plans, and the table may be
   * refreshed by other threads, so the current snapshot before or after may be another one.
   */
  private OptionalLong plannedSnapshotId() {
    ScanReport report = planning.scanReport();
    return report == null ? OptionalLong.empty() : OptionalLong.of(report.snapshotId());
  }

  @Override
  public synchronized String description() {
    String description = super.description();
    return pruned == null || pruned.description().isEmpty()
        ? description
        : description + " [index: " + pruned.description() + "]";
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return concat(super.supportedCustomMetrics(), pruner.metrics());
  }

  @Override
  public synchronized CustomTaskMetric[] reportDriverMetrics() {
    CustomTaskMetric[] ofPlanning = original.reportDriverMetrics();
    return pruned == null ? ofPlanning : concat(ofPlanning, pruned.metrics());
  }

  private static <T> T[] concat(T[] first, T[] second) {
    T[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
