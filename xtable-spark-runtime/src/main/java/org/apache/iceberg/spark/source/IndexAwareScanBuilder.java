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

import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkReadConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Takes the push-down as Iceberg does, and builds scans that are pruned. */
final class IndexAwareScanBuilder extends SparkScanBuilder {
  private final SparkSession spark;
  private final Table table;
  private final String branch;
  private final CaseInsensitiveStringMap options;
  private final ScanPruner pruner;

  IndexAwareScanBuilder(
      SparkSession spark,
      Table table,
      String branch,
      Schema schema,
      CaseInsensitiveStringMap options,
      ScanPruner pruner) {
    super(spark, table, branch, schema, options);
    this.spark = spark;
    this.table = table;
    this.branch = branch;
    this.options = options;
    this.pruner = pruner;
  }

  /** A scan that pushed aggregates answer reads no files, and one without filters all of them. */
  @Override
  public Scan build() {
    Scan scan = super.build();
    if (scan.getClass() != SparkBatchQueryScan.class
        || ((SparkBatchQueryScan) scan).filterExpressions().isEmpty()) {
      return scan;
    }
    try {
      return new IndexAwareBatchScan(
          spark,
          table,
          (SparkBatchQueryScan) scan,
          new SparkReadConf(spark, table, branch, options),
          pruner);
    } catch (LinkageError e) {
      pruner.bridgeBroken(e);
      return scan;
    }
  }
}
