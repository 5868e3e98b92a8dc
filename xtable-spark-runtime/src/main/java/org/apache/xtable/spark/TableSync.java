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
package org.apache.xtable.spark;

import java.util.Objects;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.TableSyncReport;

/** Placeholder for the distributed build, which replaces it. */
final class TableSync {
  TableSync(SparkSession spark) {
    Objects.requireNonNull(spark, "spark is null");
  }

  TableSyncReport sync(Table table, DatasetConfig.Dataset dataset) {
    throw new UnsupportedOperationException("Cannot sync " + table.name() + ": not built yet");
  }
}
