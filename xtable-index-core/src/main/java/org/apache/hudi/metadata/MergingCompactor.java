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

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.hudi.client.WriteStatus;
import org.apache.hudi.common.engine.HoodieReaderContext;
import org.apache.hudi.common.engine.TaskContextSupplier;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.CompactionOperation;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.model.IOType;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.table.HoodieTable;
import org.apache.hudi.table.action.compact.HoodieSparkMergeOnReadTableCompactor;
import org.apache.hudi.table.marker.WriteMarkersFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hudi's compactor, but that it has file groups merged which can be, and compacts one itself where
 * that fails.
 *
 * <p>Files are named and marked as Hudi does it, so that Hudi removes those of attempts that did
 * not count before it commits, and those of a compaction that was cut short when it is rolled back.
 */
@SuppressWarnings("rawtypes") // Hudi passes tables and readers raw
final class MergingCompactor<T> extends HoodieSparkMergeOnReadTableCompactor<T> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(MergingCompactor.class);

  private final FileGroupMerge merge;

  MergingCompactor(FileGroupMerge merge) {
    this.merge = merge;
  }

  @Override
  public List<WriteStatus> compact(
      HoodieWriteConfig config,
      CompactionOperation operation,
      String instant,
      HoodieReaderContext readerContext,
      HoodieTable table,
      String maxInstant,
      TaskContextSupplier task)
      throws IOException {
    MetadataRecordSchema.intern();
    Option<HoodieWriteStat> merged = merge(config, operation, instant, table, task);
    return merged.isPresent()
        ? Collections.singletonList(status(merged.get()))
        : super.compact(config, operation, instant, readerContext, table, maxInstant, task);
  }

  private Option<HoodieWriteStat> merge(
      HoodieWriteConfig config,
      CompactionOperation operation,
      String instant,
      HoodieTable table,
      TaskContextSupplier task)
      throws IOException {
    String partition = operation.getPartitionPath();
    String name = baseFileName(operation, instant, table, task);
    StoragePath file = new StoragePath(new StoragePath(config.getBasePath(), partition), name);
    try {
      if (!merge.canMerge(operation)) {
        return Option.empty();
      }
      // Of another type than the one that Hudi makes for the same file if this fails.
      WriteMarkersFactory.get(config.getMarkersType(), table, instant)
          .create(partition, name, IOType.CREATE);
      HoodieWriteStat stat = merge.merge(operation, file);
      describe(stat, operation, name, table.getStorage().getPathInfo(file).getLength());
      return Option.of(stat);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot merge the files of file group {}, Hudi compacts it", operation, e);
      HoodieStorage storage = table.getStorage();
      if (storage.exists(file)) {
        storage.deleteFile(file);
      }
      return Option.empty();
    }
  }

  /** As Hudi's write handles make it. */
  private static String baseFileName(
      CompactionOperation operation, String instant, HoodieTable table, TaskContextSupplier task) {
    String token =
        FSUtils.makeWriteToken(
            task.getPartitionIdSupplier().get(),
            task.getStageIdSupplier().get(),
            task.getAttemptIdSupplier().get());
    return FSUtils.makeBaseFileName(
        instant, token, operation.getFileId(), table.getBaseFileExtension());
  }

  private static void describe(
      HoodieWriteStat stat, CompactionOperation operation, String name, long bytes) {
    stat.setFileId(operation.getFileId());
    stat.setPartitionPath(operation.getPartitionPath());
    stat.setPath(operation.getPartitionPath() + StoragePath.SEPARATOR + name);
    stat.setPrevCommit(operation.getDataFileCommitTime().orElse(HoodieWriteStat.NULL_COMMIT));
    operation.getDataFileName().ifPresent(stat::setPrevBaseFile);
    stat.setFileSizeInBytes(bytes);
    stat.setTotalWriteBytes(bytes);
  }

  private static WriteStatus status(HoodieWriteStat stat) {
    WriteStatus status = new WriteStatus(false, 0.0, true);
    status.setFileId(stat.getFileId());
    status.setPartitionPath(stat.getPartitionPath());
    status.setStat(stat);
    status.setTotalRecords(stat.getNumWrites());
    return status;
  }
}
