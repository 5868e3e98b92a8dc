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
package org.apache.xtable.index.hudi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hudi.common.model.CompactionOperation;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.metadata.FileGroupMerge;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.HoodieStorageUtils;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.table.action.compact.strategy.CompactionStrategy;

/**
 * Compacts file groups of the index: reads their runs side by side, and writes the entries as they
 * come.
 *
 * <p>Hudi 1.2.0 makes Avro records of the entries and keeps those of log files in a map; compacting
 * an index took three times as long as building it.
 *
 * <p>Only runs that the last manifest has are merged: it names those of completed syncs, whole and
 * no others, which is what Hudi finds out by reading its log files against its timelines.
 */
final class RunMerge implements FileGroupMerge {
  private static final long serialVersionUID = 1L;

  private final StorageConfiguration<?> storageConf;
  private final String folder;
  private final String partition;
  private final Map<String, List<EntryRun>> runs;

  /**
   * @param folder that of the index partition
   * @param before the manifest of the last completed sync
   */
  RunMerge(StorageConfiguration<?> storageConf, StoragePath folder, IndexManifest before) {
    this.storageConf = storageConf;
    this.folder = folder.toString();
    this.partition = before.partition();
    this.runs =
        new HashMap<>(before.runs().stream().collect(Collectors.groupingBy(EntryRun::fileName)));
  }

  @Override
  public boolean canMerge(CompactionOperation operation) throws IOException {
    if (!operation.getPartitionPath().equals(partition)
        || !operation.getDataFileName().map(runs::containsKey).orElse(true)) {
      return false;
    }
    for (String log : operation.getDeltaFileNames()) {
      if (!runs.containsKey(log) && !LogRuns.isEmpty(storage(), new StoragePath(folder, log))) {
        return false;
      }
    }
    return !baseRuns(operation).isEmpty() || !logRuns(operation).isEmpty();
  }

  @Override
  public HoodieWriteStat merge(CompactionOperation operation, StoragePath baseFile)
      throws IOException {
    List<EntryRun> base = baseRuns(operation);
    List<EntryRun> all = new ArrayList<>(base);
    all.addAll(logRuns(operation));
    HoodieStorage storage = storage();
    try (MergedEntries entries = new MergedEntries(storage, new StoragePath(folder), all)) {
      try (HFileEntryWriter writer =
          new HFileEntryWriter(storage.create(baseFile, true), EntryValue.bytes())) {
        while (entries.next()) {
          writer.append(entries.key());
        }
      }
      return stat(operation, entries, !base.isEmpty(), all.size() - base.size());
    }
  }

  private static HoodieWriteStat stat(
      CompactionOperation operation, MergedEntries entries, boolean hasBase, int logRuns) {
    long ofBase = hasBase ? entries.readOfFirstRun() : 0;
    long updates = hasBase ? entries.alsoInFirstRun() : 0;
    HoodieWriteStat stat = new HoodieWriteStat();
    stat.setNumWrites(entries.entries());
    stat.setNumInserts(entries.entries() - ofBase);
    stat.setNumUpdateWrites(updates);
    stat.setTotalUpdatedRecordsCompacted(updates);
    stat.setTotalLogFilesCompacted(operation.getDeltaFileNames().size());
    stat.setTotalLogBlocks(logRuns);
    stat.setTotalLogRecords(entries.read() - ofBase);
    stat.setTotalLogSizeCompacted(
        operation
            .getMetrics()
            .getOrDefault(CompactionStrategy.TOTAL_LOG_FILE_SIZE, 0.0)
            .longValue());
    return stat;
  }

  private List<EntryRun> baseRuns(CompactionOperation operation) {
    return runs(operation.getDataFileName());
  }

  private List<EntryRun> logRuns(CompactionOperation operation) {
    return operation.getDeltaFileNames().stream()
        .flatMap(log -> runs(Option.of(log)).stream())
        .collect(Collectors.toList());
  }

  private List<EntryRun> runs(Option<String> file) {
    return file.map(name -> runs.getOrDefault(name, Collections.emptyList()))
        .orElse(Collections.emptyList());
  }

  private HoodieStorage storage() {
    return HoodieStorageUtils.getStorage(new StoragePath(folder), storageConf);
  }
}
