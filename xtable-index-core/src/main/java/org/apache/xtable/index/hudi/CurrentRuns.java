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
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hudi.avro.model.HoodieCompactionOperation;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.CompactionUtils;
import org.apache.hudi.storage.StoragePath;
import org.apache.xtable.index.DamagedIndexException;

/**
 * The runs of entries as Hudi has them now.
 *
 * <p>Between two syncs they change by compaction only, and no run may be lost by that. Hudi itself
 * would lose some without a word where its files are damaged: it rolls back a commit whose
 * completed file is gone, and a compaction passes over log blocks that it cannot make out. So each
 * run that the last manifest has must be there, or be known to have gone into a compaction.
 */
final class CurrentRuns {
  private final IndexTable table;
  private final IndexManifest before;
  private final HoodieTableMetaClient metadataTable;
  private final Map<String, Compaction> compactions = new HashMap<>();

  /**
   * @param before the manifest of the last completed sync
   */
  CurrentRuns(IndexTable table, HoodieTableMetaClient metaClient, IndexManifest before) {
    this.table = table;
    this.before = before;
    this.metadataTable = IndexTable.metadataTable(metaClient);
  }

  /**
   * @throws DamagedIndexException if a run was lost
   */
  List<EntryRun> get() {
    Map<Integer, List<EntryRun>> known =
        before.runs().stream().collect(Collectors.groupingBy(EntryRun::fileGroup));
    List<FileSlice> slices = IndexTable.fileSlices(metadataTable, before.partition());
    if (slices.size() != before.fileGroups()) {
      throw new DamagedIndexException(
          String.format(
              "%d file groups of %d are left in %s",
              slices.size(), before.fileGroups(), table.partitionFolder(before.partition())));
    }
    List<EntryRun> runs = new ArrayList<>();
    for (int fileGroup = 0; fileGroup < slices.size(); fileGroup++) {
      addRuns(fileGroup, slices.get(fileGroup), known.getOrDefault(fileGroup, List.of()), runs);
    }
    return runs;
  }

  private void addRuns(int fileGroup, FileSlice slice, List<EntryRun> known, List<EntryRun> runs) {
    Map<String, List<EntryRun>> missing =
        known.stream().collect(Collectors.groupingBy(EntryRun::fileName));
    if (slice.getBaseFile().isPresent()) {
      HoodieBaseFile base = slice.getBaseFile().get();
      runs.add(new EntryRun(fileGroup, base.getFileName(), 0, base.getFileSize()));
      if (missing.remove(base.getFileName()) == null) {
        missing.keySet().removeAll(compaction(base.getCommitTime()).merged(slice.getFileId()));
      }
    }
    StoragePath folder = table.partitionFolder(before.partition());
    for (HoodieLogFile log : slice.getLogFiles().collect(Collectors.toList())) {
      List<EntryRun> ofLog = missing.remove(log.getFileName());
      runs.addAll(
          ofLog != null
              ? ofLog
              : LogRuns.of(table.storage(), new StoragePath(folder, log.getFileName()), fileGroup));
    }
    if (!missing.isEmpty()) {
      throw new DamagedIndexException(
          "Hudi no longer counts files of entries in " + folder + ": " + missing.keySet());
    }
  }

  private Compaction compaction(String instant) {
    return compactions.computeIfAbsent(instant, at -> new Compaction(metadataTable, at));
  }

  /** What one compaction merged. */
  private static final class Compaction {
    private final Map<String, Set<String>> files = new HashMap<>();

    Compaction(HoodieTableMetaClient metadataTable, String instant) {
      Map<String, HoodieWriteStat> results = results(metadataTable, instant);
      for (HoodieCompactionOperation operation :
          CompactionUtils.getCompactionPlan(metadataTable, instant).getOperations()) {
        HoodieWriteStat result = results.get(operation.getFileId());
        if (result != null && result.getTotalCorruptLogBlock() == 0) {
          files.put(
              operation.getFileId(),
              Stream.concat(
                      Stream.ofNullable(operation.getDataFilePath()),
                      operation.getDeltaFilePaths().stream())
                  .map(path -> new StoragePath(path).getName())
                  .collect(Collectors.toCollection(HashSet::new)));
        }
      }
    }

    private static Map<String, HoodieWriteStat> results(
        HoodieTableMetaClient metadataTable, String instant) {
      HoodieTimeline completed =
          metadataTable.getActiveTimeline().getCommitAndReplaceTimeline().filterCompletedInstants();
      Map<String, HoodieWriteStat> results = new HashMap<>();
      try {
        for (HoodieInstant candidate : completed.getInstants()) {
          if (candidate.requestedTime().equals(instant)) {
            HoodieCommitMetadata commit = completed.readCommitMetadata(candidate);
            commit.getWriteStats().forEach(stat -> results.put(stat.getFileId(), stat));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read compaction " + instant, e);
      }
      return results;
    }

    /** The names of the files that went into the file group; none if any of that is doubtful. */
    Set<String> merged(String fileId) {
      return files.getOrDefault(fileId, Set.of());
    }
  }
}
