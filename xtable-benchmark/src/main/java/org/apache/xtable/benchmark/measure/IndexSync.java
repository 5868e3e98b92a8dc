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
package org.apache.xtable.benchmark.measure;

import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.TableSyncReport;
import org.apache.xtable.spark.XTableSync;

/** Syncs an index as a running Spark job does: through the public API, with all defaults. */
public final class IndexSync {
  private IndexSync() {}

  /**
   * @throws IllegalStateException if the sync fails
   */
  public static TableSyncReport of(SparkSession spark, Table table, String column) {
    TableSyncReport report =
        XTableSync.create(spark)
            .sync(
                DatasetConfig.of(
                    DatasetConfig.Dataset.atPath(
                        table.location(), table.name(), HudiTarget.ofColumn(column))))
            .reports()
            .get(0);
    if (report.hasFailed()) {
      throw new IllegalStateException("Cannot sync: " + report, report.error().orElse(null));
    }
    return report;
  }
}
