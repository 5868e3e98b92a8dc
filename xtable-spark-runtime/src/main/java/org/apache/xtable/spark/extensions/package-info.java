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
 * How a query uses an index.
 *
 * <p>{@link org.apache.xtable.spark.extensions.XTableSparkSessionExtensions} injects one optimizer
 * rule, {@code UseIndexInScans}, which runs right before Spark pushes filters into scans and gives
 * each Iceberg table the ability to prune them ({@link org.apache.iceberg.spark.source}). Iceberg
 * then takes the push-down and plans the candidate files as ever, and {@code IndexScanPruner} reads
 * the keys from the pushed filters ({@code KeyConstraints}), finds the index ({@code
 * ApplicationIndexes}), and decides: a {@code PruningDecision} is either <em>used</em> or <em>not
 * used</em> for a {@code NotUsedReason}. The log, EXPLAIN and the tests read that one value.
 */
package org.apache.xtable.spark.extensions;
