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
/**
 * The bridge into Iceberg's Spark scan, in Iceberg's own package because {@code
 * SparkBatchQueryScan} and the constructor of {@code SparkScanBuilder} are package-private (Iceberg
 * 1.9.2).
 *
 * <p>A {@link org.apache.iceberg.spark.source.IndexAwareSparkTable} makes an {@code
 * IndexAwareScanBuilder}, which makes an {@code IndexAwareBatchScan}; what a merge-on-read command
 * reads gets one by way of an {@code IndexAwareRowLevelTable}. Each leaves all work to its Iceberg
 * superclass, except that the scan, once planned, lets a {@link
 * org.apache.iceberg.spark.source.ScanPruner} select among its files. What the selection is based
 * on is none of this package's business.
 */
package org.apache.iceberg.spark.source;
