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

import java.util.List;
import org.apache.iceberg.PartitionScanTask;
import org.apache.iceberg.spark.source.PlannedScan;
import org.apache.iceberg.spark.source.PrunedScan;
import org.apache.iceberg.spark.source.ScanPruner;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.spark.extensions.PruningDecision.NotUsed;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prunes the scans of a session with the indexes of their tables. Whatever happens to an index, the
 * query runs; only a changed indexed column and bad settings fail it.
 */
final class IndexScanPruner implements ScanPruner {
  private static final Logger LOG = LoggerFactory.getLogger(IndexScanPruner.class);

  private final SparkSession session;
  private final ApplicationIndexes indexes;

  IndexScanPruner(SparkSession session, ApplicationIndexes indexes) {
    this.session = session;
    this.indexes = indexes;
  }

  @Override
  public PrunedScan prune(PlannedScan scan) {
    PruningSettings settings = PruningSettings.of(session.sessionState().conf());
    Selection selection = select(scan, settings);
    tell(scan, selection.decision());
    return selection;
  }

  private Selection select(PlannedScan scan, PruningSettings settings) {
    try {
      return new ScanSelector(
              scan, settings, path -> indexes.find(session, path), indexes.footers())
          .select();
    } catch (LinkageError e) {
      indexes.giveUp(e);
      return Selection.all(scan.tasks(), NotUsed.because(NotUsedReason.UNAVAILABLE, e));
    } catch (RuntimeException e) {
      return Selection.all(scan.tasks(), NotUsed.because(NotUsedReason.UNREADABLE, e));
    }
  }

  /**
   * One line for each scan of a table that has an index; what somebody should do something about is
   * a WARN for the first scan that meets it.
   */
  private void tell(PlannedScan scan, PruningDecision decision) {
    String table = scan.table().name();
    if (decision instanceof Used) {
      LOG.info("Index of table {}: {}, {} ms", table, decision, ((Used) decision).lookupMillis());
      return;
    }
    NotUsed notUsed = (NotUsed) decision;
    switch (notUsed.reason().consequence()) {
      case SILENT:
        LOG.debug("Index of table {}: {}", table, decision);
        return;
      case INFO:
        LOG.info("Index of table {}: {}", table, decision);
        return;
      case WARN:
        if (indexes.isNews(table + " " + decision)) {
          LOG.warn("Index of table {}: {}", table, decision, notUsed.cause().orElse(null));
        } else {
          LOG.info("Index of table {}: {}", table, decision);
        }
        return;
      case FAIL:
        throw new IndexException("Cannot query table " + table + ": index " + decision);
      default:
        throw new AssertionError(notUsed.reason().consequence());
    }
  }

  @Override
  public CustomMetric[] metrics() {
    return IndexMetric.all();
  }

  @Override
  public void bridgeBroken(LinkageError error) {
    indexes.giveUp(error);
  }

  /** The tasks to run, and why those. */
  static final class Selection implements PrunedScan {
    private final List<PartitionScanTask> tasks;
    private final PruningDecision decision;

    private Selection(List<PartitionScanTask> tasks, PruningDecision decision) {
      this.tasks = tasks;
      this.decision = decision;
    }

    static Selection all(List<PartitionScanTask> tasks, NotUsed decision) {
      return new Selection(tasks, decision);
    }

    static Selection some(List<PartitionScanTask> tasks, Used decision) {
      return new Selection(tasks, decision);
    }

    PruningDecision decision() {
      return decision;
    }

    @Override
    public List<PartitionScanTask> tasks() {
      return tasks;
    }

    @Override
    public CustomTaskMetric[] metrics() {
      return decision instanceof Used ? IndexMetric.of((Used) decision) : new CustomTaskMetric[0];
    }

    @Override
    public String description() {
      boolean silent =
          decision instanceof NotUsed
              && ((NotUsed) decision).reason().consequence() == NotUsedReason.Consequence.SILENT;
      return silent ? "" : decision.summary();
    }
  }
}
