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

import java.util.List;
import org.apache.iceberg.PartitionScanTask;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/** What a {@link ScanPruner} left of a scan. */
public interface PrunedScan {
  /**
   * The tasks to run, in the order of the planned ones: some of those, or tasks of the same files
   * that read less.
   */
  List<PartitionScanTask> tasks();

  /** What to say about it in EXPLAIN and in the Spark UI; empty for nothing. */
  String description();

  /** Values of the {@link ScanPruner#metrics} for this scan. */
  CustomTaskMetric[] metrics();
}
