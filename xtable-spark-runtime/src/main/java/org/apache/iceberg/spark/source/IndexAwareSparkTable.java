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

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.BaseMetadataTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.spark.SparkReadOptions;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** An Iceberg table whose batch scans a {@link ScanPruner} narrows. */
public final class IndexAwareSparkTable extends SparkTable {
  private final SparkTable original;
  private final ScanPruner pruner;

  private IndexAwareSparkTable(SparkTable original, String branch, ScanPruner pruner) {
    // The original does the eager refresh.
    super(original.table(), branch, false);
    this.original = original;
    this.pruner = pruner;
  }

  private IndexAwareSparkTable(SparkTable original, Long snapshotId, ScanPruner pruner) {
    super(original.table(), snapshotId, false);
    this.original = original;
    this.pruner = pruner;
  }

  /**
   * The same table with a pruner, or empty for anything but a plain Iceberg data table and what a
   * merge-on-read command reads: metadata tables, changelogs, staged tables, tables of other
   * sources, and tables wrapped before.
   */
  public static Optional<Table> wrap(Table table, ScanPruner pruner) {
    if (table instanceof RowLevelOperationTable) {
      return IndexAwareRowLevelTable.wrap((RowLevelOperationTable) table, pruner);
    }
    if (table.getClass() != SparkTable.class) {
      return Optional.empty();
    }
    SparkTable original = (SparkTable) table;
    if (original.table() instanceof BaseMetadataTable) {
      return Optional.empty();
    }
    return Optional.of(
        original.branch() != null
            ? new IndexAwareSparkTable(original, original.branch(), pruner)
            : new IndexAwareSparkTable(original, original.snapshotId(), pruner));
  }

  /** Whether a scan of a table reads data files of an Iceberg table as a batch. */
  public static boolean readsDataFiles(Table table, Scan scan) {
    return table instanceof SparkTable
        && !(((SparkTable) table).table() instanceof BaseMetadataTable)
        && scan instanceof SparkBatchQueryScan;
  }

  /** What a pruner left of a scan that was planned; empty for a scan that is not pruned. */
  public static Optional<PrunedScan> pruned(Scan scan) {
    return scan instanceof IndexAwareBatchScan
        ? ((IndexAwareBatchScan) scan).pruned()
        : Optional.empty();
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    ScanBuilder builder = original.newScanBuilder(options);
    if (builder.getClass() != SparkScanBuilder.class) {
      return builder; // such as that of a scan of staged tasks
    }
    try {
      return new IndexAwareScanBuilder(
          SparkSession.active(), table(), branch(), snapshotSchema(), scanOptions(options), pruner);
    } catch (LinkageError e) {
      pruner.bridgeBroken(e);
      return builder;
    }
  }

  private Schema snapshotSchema() {
    return branch() != null
        ? SnapshotUtil.schemaFor(table(), branch())
        : SnapshotUtil.schemaFor(table(), snapshotId(), null);
  }

  /** The snapshot of the table overrides whatever the options choose, as in SparkTable. */
  private CaseInsensitiveStringMap scanOptions(CaseInsensitiveStringMap options) {
    if (branch() != null || snapshotId() == null) {
      return options;
    }
    Map<String, String> scanOptions = new HashMap<>(options.asCaseSensitiveMap());
    scanOptions
        .keySet()
        .removeIf(
            key ->
                key.equalsIgnoreCase(SparkReadOptions.SNAPSHOT_ID)
                    || key.equalsIgnoreCase(SparkReadOptions.AS_OF_TIMESTAMP)
                    || key.equalsIgnoreCase(SparkReadOptions.BRANCH)
                    || key.equalsIgnoreCase(SparkReadOptions.TAG));
    scanOptions.put(SparkReadOptions.SNAPSHOT_ID, snapshotId().toString());
    return new CaseInsensitiveStringMap(scanOptions);
  }
}
