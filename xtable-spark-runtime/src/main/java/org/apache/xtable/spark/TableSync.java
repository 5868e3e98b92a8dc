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

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.iceberg.Table;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.DamagedIndexException;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.SyncedState;
import org.apache.xtable.index.hudi.HudiIndexOptions;
import org.apache.xtable.index.hudi.HudiIndexWriter;
import org.apache.xtable.index.hudi.RegisteredFile;
import org.apache.xtable.index.hudi.WrittenEntries;
import org.apache.xtable.index.iceberg.CoveredFile;
import org.apache.xtable.index.iceberg.TableDataPath;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.SyncPlan;
import org.apache.xtable.index.sync.SyncPlanner;
import org.apache.xtable.index.sync.TableSyncReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Syncs the index of one table: plans what there is to do, and does it. Not thread-safe. */
final class TableSync {
  private static final Logger LOG = LoggerFactory.getLogger(TableSync.class);

  private final SparkSession spark;

  TableSync(SparkSession spark) {
    this.spark = Objects.requireNonNull(spark, "spark is null");
  }

  /**
   * @param table the table; it is refreshed first
   * @throws IndexException if the index cannot be synced; it is as before then
   */
  TableSyncReport sync(Table table, DatasetConfig.Dataset dataset) {
    long start = System.nanoTime();
    table.refresh();
    SyncPlanner planner = new SyncPlanner(table, dataset.target().column());
    try (HudiIndexWriter writer = writer(table, dataset.target())) {
      SyncPlan plan = plan(planner, writer);
      if (plan.action() != SyncPlan.Action.NOTHING) {
        writer.lock();
        // Another sync may have written between the first look and the lock.
        plan = plan(planner, writer);
      }
      TableSyncReport.Builder report;
      try {
        report = carryOut(plan, table, dataset, writer);
      } catch (DamagedIndexException e) {
        LOG.warn("Cannot update the index of {}, building it anew", dataset.name(), e);
        plan = rebuild(planner, e);
        report = carryOut(plan, table, dataset, writer);
      }
      return report
          .snapshotId(plan.snapshotId().orElse(SyncedState.NO_SNAPSHOT))
          .reason(plan.reason())
          .duration(Duration.ofNanos(System.nanoTime() - start))
          .build();
    }
  }

  private HudiIndexWriter writer(Table table, HudiTarget target) {
    return new HudiIndexWriter(
        JavaSparkContext.fromSparkContext(spark.sparkContext()),
        spark.sessionState().newHadoopConf(),
        TableDataPath.of(table),
        new HudiIndexOptions(target.minFileGroups(), target.maxFileGroups()));
  }

  private static SyncPlan plan(SyncPlanner planner, HudiIndexWriter writer) {
    try {
      return planner.plan(writer.stored());
    } catch (DamagedIndexException e) {
      return rebuild(planner, e);
    }
  }

  private static SyncPlan rebuild(SyncPlanner planner, DamagedIndexException damage) {
    return planner.rebuild("the index is damaged: " + damage.getMessage());
  }

  private TableSyncReport.Builder carryOut(
      SyncPlan plan, Table table, DatasetConfig.Dataset dataset, HudiIndexWriter writer) {
    LOG.info("Sync of {}: {}", dataset.name(), plan);
    if (plan.action() == SyncPlan.Action.NOTHING) {
      return TableSyncReport.builder(dataset.name(), TableSyncReport.Action.UNCHANGED);
    }
    List<RegisteredFile> added = registered(plan.added());
    TableEntries entries = new TableEntries(spark, table, dataset, plan);
    WrittenEntries written =
        plan.action() == SyncPlan.Action.INCREMENT
            ? writer.update(added, plan.removed(), entries, plan::stateAfter)
            : writer.build(
                table.name(), table.schema(), plan.column(), added, entries, plan::stateAfter);
    return TableSyncReport.builder(dataset.name(), done(plan.action()))
        .filesAdded(plan.added().size())
        .filesRemoved(plan.removed().size())
        .entries(written.entries())
        .bytes(written.bytes());
  }

  private static TableSyncReport.Action done(SyncPlan.Action action) {
    switch (action) {
      case BUILD:
        return TableSyncReport.Action.BUILT;
      case REBUILD:
        return TableSyncReport.Action.REBUILT;
      case INCREMENT:
        return TableSyncReport.Action.UPDATED;
      default:
        throw new IllegalStateException("Cannot report " + action);
    }
  }

  private static List<RegisteredFile> registered(List<CoveredFile> files) {
    return files.stream()
        .map(file -> new RegisteredFile(file.relativePath(), file.bytes(), file.rows()))
        .collect(Collectors.toList());
  }
}
