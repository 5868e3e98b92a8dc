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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.spark.source.IndexAwareSparkTable;
import org.apache.iceberg.spark.source.PrunedScan;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.xtable.spark.extensions.IndexScanPruner.Selection;
import org.apache.xtable.spark.extensions.PruningDecision.NotUsed;
import scala.collection.JavaConverters;

/** Tells of indexes to those who write queries. */
public final class XTableIndexes {
  private XTableIndexes() {}

  /**
   * Why a query uses indexes, or why not: one answer for each scan of an Iceberg table, those of
   * subqueries included. The query is planned, if it was not yet, but not run.
   *
   * <p>There is none for what reads no data files: metadata tables, aggregates that Iceberg answers
   * from its metadata, data that was cached.
   *
   * @throws org.apache.xtable.index.IndexException if the query would fail, because the indexed
   *     column was renamed or its name given to another
   */
  public static List<IndexUse> explain(Dataset<?> query) {
    List<IndexUse> uses = new ArrayList<>();
    LogicalPlan plan = query.queryExecution().optimizedPlan();
    PruningSettings settings = PruningSettings.of(query.sparkSession().sessionState().conf());
    collect(plan, settings, uses);
    JavaConverters.seqAsJavaList(plan.subqueriesAll())
        .forEach(subquery -> collect(subquery, settings, uses));
    return Collections.unmodifiableList(uses);
  }

  private static void collect(LogicalPlan plan, PruningSettings settings, List<IndexUse> uses) {
    for (LogicalPlan leaf : JavaConverters.seqAsJavaList(plan.collectLeaves())) {
      if (leaf instanceof DataSourceV2ScanRelation) {
        use((DataSourceV2ScanRelation) leaf, settings).ifPresent(uses::add);
      }
    }
  }

  private static Optional<IndexUse> use(
      DataSourceV2ScanRelation relation, PruningSettings settings) {
    Table table = relation.relation().table();
    if (!IndexAwareSparkTable.readsDataFiles(table, relation.scan())) {
      return Optional.empty();
    }
    Optional<PrunedScan> pruned = IndexAwareSparkTable.pruned(relation.scan());
    PruningDecision decision =
        pruned.isPresent()
            ? ((Selection) pruned.get()).decision()
            : NotUsed.because(reasonOfPlainScan(table, settings));
    return Optional.of(new IndexUse(table.name(), decision));
  }

  /** A scan is Iceberg's own if the rule did not see its table, or if it has no filter. */
  private static NotUsedReason reasonOfPlainScan(Table table, PruningSettings settings) {
    if (table instanceof IndexAwareSparkTable) {
      return NotUsedReason.NO_KEYS;
    }
    return settings.enabled() ? NotUsedReason.UNAVAILABLE : NotUsedReason.TURNED_OFF;
  }
}
