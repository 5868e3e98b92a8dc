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

import org.apache.spark.sql.connector.metric.CustomMetric;

/** Selects which of the files that Iceberg planned a scan has to read. Thread-safe. */
public interface ScanPruner {
  /**
   * Called once for each scan, when Iceberg has planned its files.
   *
   * @throws RuntimeException if the query must fail
   */
  PrunedScan prune(PlannedScan scan);

  /** The metrics that pruned scans report, besides those of Iceberg. */
  CustomMetric[] metrics();

  /**
   * Called when this bridge does not fit the Iceberg that it runs with: another version, or one
   * that another class loader loaded. The scan is then Iceberg's own.
   */
  void bridgeBroken(LinkageError error);
}
