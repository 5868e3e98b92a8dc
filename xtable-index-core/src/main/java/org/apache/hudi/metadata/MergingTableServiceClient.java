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
package org.apache.hudi.metadata;

import java.util.function.Supplier;
import org.apache.hudi.client.SparkRDDTableServiceClient;
import org.apache.hudi.client.WriteStatus;
import org.apache.hudi.common.data.HoodieData;
import org.apache.hudi.common.engine.HoodieEngineContext;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.table.HoodieTable;
import org.apache.hudi.table.action.HoodieWriteMetadata;
import org.apache.hudi.table.action.compact.RunCompactionActionExecutor;
import org.apache.spark.api.java.JavaRDD;

/**
 * Hudi's table services, but that compactions, those that were left pending as well, have file
 * groups merged by a {@link FileGroupMerge}. Plan, instants, rollback and commit stay Hudi's.
 */
final class MergingTableServiceClient<T> extends SparkRDDTableServiceClient<T> {
  private static final long serialVersionUID = 1L;

  private final transient Supplier<FileGroupMerge> merge;

  /**
   * @param merge gives null while there is none, and Hudi then compacts all by itself
   */
  MergingTableServiceClient(
      HoodieEngineContext context, HoodieWriteConfig config, Supplier<FileGroupMerge> merge) {
    super(context, config, Option.empty());
    this.merge = merge;
  }

  @Override
  protected HoodieWriteMetadata<JavaRDD<WriteStatus>> compact(
      HoodieTable<?, HoodieData<HoodieRecord<T>>, ?, HoodieData<WriteStatus>> table,
      String instant,
      boolean shouldComplete) {
    if (merge.get() == null) {
      return super.compact(table, instant, shouldComplete);
    }
    rollbackInflight(table, instant);
    HoodieWriteMetadata<JavaRDD<WriteStatus>> written =
        convertToOutputMetadata(
            new RunCompactionActionExecutor<T>(
                    context,
                    config,
                    table,
                    instant,
                    new MergingCompactor<T>(merge.get()),
                    WriteOperationType.COMPACT)
                .execute());
    if (shouldComplete) {
      commitCompaction(instant, written, Option.of(table));
    }
    return written;
  }

  /** Has Hudi delete what a compaction that was cut short has written. */
  private void rollbackInflight(HoodieTable<?, ?, ?, ?> table, String instant) {
    HoodieTableMetaClient metaClient = table.getMetaClient();
    HoodieInstant inflight = table.getInstantGenerator().getCompactionInflightInstant(instant);
    if (table.getActiveTimeline().filterPendingCompactionTimeline().containsInstant(inflight)) {
      table.rollbackInflightCompaction(
          inflight, undone -> getPendingRollbackInfo(metaClient, undone, false), txnManager);
      metaClient.reloadActiveTimeline();
    }
  }
}
