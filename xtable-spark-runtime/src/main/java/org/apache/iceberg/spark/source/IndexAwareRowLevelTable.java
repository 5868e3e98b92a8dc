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

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The table of a merge-on-read DELETE, UPDATE or MERGE, as far as the command reads it: a {@link
 * ScanPruner} narrows its scans. What the command writes, it does through Spark's own table, whose
 * operation remembers the scan that its builder made.
 */
final class IndexAwareRowLevelTable implements SupportsRead {
  private final RowLevelOperationTable original;
  private final ScanPruner pruner;

  private IndexAwareRowLevelTable(RowLevelOperationTable original, ScanPruner pruner) {
    this.original = original;
    this.pruner = pruner;
  }

  /**
   * Empty for copy-on-write commands: they have to read all rows of the files that they rewrite.
   * Which ones those are, Spark finds with a scan of the plain table.
   */
  static Optional<Table> wrap(RowLevelOperationTable table, ScanPruner pruner) {
    return table.operation().getClass() == SparkPositionDeltaOperation.class
            && table.table() instanceof SparkTable
        ? Optional.of(new IndexAwareRowLevelTable(table, pruner))
        : Optional.empty();
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    ScanBuilder builder = original.newScanBuilder(options);
    return builder instanceof SparkScanBuilder
        ? new Builder((SparkScanBuilder) builder, options)
        : builder;
  }

  @Override
  public String name() {
    return original.name();
  }

  /** Deprecated by Spark, which has callers of it nevertheless. */
  @Override
  @Deprecated
  public StructType schema() {
    return original.schema();
  }

  @Override
  public Column[] columns() {
    return original.columns();
  }

  @Override
  public Transform[] partitioning() {
    return original.partitioning();
  }

  @Override
  public Map<String, String> properties() {
    return original.properties();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return original.capabilities();
  }

  @Override
  public String toString() {
    return original.toString();
  }

  /** Leaves the push-down to the builder of the operation; Spark pushes no more than this here. */
  private final class Builder
      implements SupportsPushDownV2Filters, SupportsPushDownRequiredColumns {
    private final SparkScanBuilder ofOperation;
    private final CaseInsensitiveStringMap options;

    Builder(SparkScanBuilder ofOperation, CaseInsensitiveStringMap options) {
      this.ofOperation = ofOperation;
      this.options = options;
    }

    @Override
    public Predicate[] pushPredicates(Predicate[] predicates) {
      return ofOperation.pushPredicates(predicates);
    }

    @Override
    public Predicate[] pushedPredicates() {
      return ofOperation.pushedPredicates();
    }

    @Override
    public void pruneColumns(StructType requiredSchema) {
      ofOperation.pruneColumns(requiredSchema);
    }

    /** The scan of a table without snapshot has nothing to prune, one without filters neither. */
    @Override
    public Scan build() {
      Scan scan = ofOperation.build();
      if (scan.getClass() != SparkBatchQueryScan.class) {
        return scan;
      }
      SparkBatchQueryScan queryScan = (SparkBatchQueryScan) scan;
      if (queryScan.scan() == null || queryScan.filterExpressions().isEmpty()) {
        return scan;
      }
      try {
        return IndexAwareBatchScan.ofRowLevelCommand(
            SparkSession.active(), queryScan.table(), queryScan, options, pruner);
      } catch (LinkageError e) {
        pruner.bridgeBroken(e);
        return scan;
      }
    }
  }
}
