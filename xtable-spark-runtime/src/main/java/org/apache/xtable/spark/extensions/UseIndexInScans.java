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
package org.apache.xtable.spark.extensions;

import java.util.Optional;
import org.apache.iceberg.spark.source.IndexAwareSparkTable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.runtime.AbstractPartialFunction;

/**
 * Replaces the Iceberg table of each relation that is about to be scanned by one whose scans are
 * pruned.
 *
 * <p>It belongs among the pre-CBO rules, the last ones before scan push-down: earlier, Spark and
 * Iceberg would still compare and rewrite relations. Targets of writes are not children of their
 * commands and stay as they are; plans of subqueries are optimized on their own, with this rule.
 */
final class UseIndexInScans extends Rule<LogicalPlan> {
  private final SparkSession session;
  private final ApplicationIndexes indexes;

  UseIndexInScans(SparkSession session, ApplicationIndexes indexes) {
    this.session = session;
    this.indexes = indexes;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    try {
      return isTurnedOn()
          ? plan.transformDown(new WithIndex(new IndexScanPruner(session, indexes)))
          : plan;
    } catch (LinkageError e) {
      indexes.giveUp(e);
      return plan;
    }
  }

  private boolean isTurnedOn() {
    return indexes.isUsable() && PruningSettings.of(session.sessionState().conf()).enabled();
  }

  private static final class WithIndex extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    private final IndexScanPruner pruner;

    WithIndex(IndexScanPruner pruner) {
      this.pruner = pruner;
    }

    @Override
    public boolean isDefinedAt(LogicalPlan plan) {
      return plan instanceof DataSourceV2Relation;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      DataSourceV2Relation relation = (DataSourceV2Relation) plan;
      return wrap(relation.table())
          .<LogicalPlan>map(
              table ->
                  relation.copy(
                      table,
                      relation.output(),
                      relation.catalog(),
                      relation.identifier(),
                      relation.options()))
          .orElse(relation);
    }

    private Optional<Table> wrap(Table table) {
      try {
        return IcebergBridge.wrap(table, pruner);
      } catch (LinkageError e) {
        pruner.bridgeBroken(e);
        return Optional.empty();
      }
    }
  }

  /** All that this class says to Iceberg, apart so that it links only inside the try above. */
  private static final class IcebergBridge {
    static Optional<Table> wrap(Table table, IndexScanPruner pruner) {
      return IndexAwareSparkTable.wrap(table, pruner);
    }
  }
}
