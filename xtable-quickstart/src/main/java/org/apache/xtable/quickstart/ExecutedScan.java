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
package org.apache.xtable.quickstart;

import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import scala.collection.JavaConverters;

/** The first scan of a query that was run. */
public final class ExecutedScan {
  private final BatchScanExec scan;

  private ExecutedScan(BatchScanExec scan) {
    this.scan = scan;
  }

  /** Empty if the query reads no table. */
  public static Optional<ExecutedScan> of(Dataset<?> executed) {
    return find(executed.queryExecution().executedPlan()).map(ExecutedScan::new);
  }

  private static Optional<BatchScanExec> find(SparkPlan plan) {
    if (plan instanceof BatchScanExec) {
      return Optional.of((BatchScanExec) plan);
    }
    if (plan instanceof AdaptiveSparkPlanExec) {
      return find(((AdaptiveSparkPlanExec) plan).executedPlan());
    }
    return JavaConverters.seqAsJavaList(plan.children()).stream()
        .map(ExecutedScan::find)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /**
   * The splits that the tasks opened; each is a file where files are smaller than a split.
   * Iceberg's metric {@code resultDataFiles} would not do: it counts the candidate files, before
   * the index selects from them.
   */
  public long files() {
    return scan.metrics().apply("numSplits").value();
  }

  /** What EXPLAIN says of it. */
  public String description() {
    return scan.scan().description();
  }
}
