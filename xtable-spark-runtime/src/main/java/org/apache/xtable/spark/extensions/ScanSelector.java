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

import static org.apache.xtable.spark.extensions.NotUsedReason.COLUMN_CHANGED;
import static org.apache.xtable.spark.extensions.NotUsedReason.INDEX_CHANGED;
import static org.apache.xtable.spark.extensions.NotUsedReason.NO_CANDIDATES;
import static org.apache.xtable.spark.extensions.NotUsedReason.NO_INDEX;
import static org.apache.xtable.spark.extensions.NotUsedReason.NO_KEYS;
import static org.apache.xtable.spark.extensions.NotUsedReason.OTHER_COLUMN;
import static org.apache.xtable.spark.extensions.NotUsedReason.OTHER_TABLE;
import static org.apache.xtable.spark.extensions.NotUsedReason.SMALL_SCAN;
import static org.apache.xtable.spark.extensions.NotUsedReason.STALE;
import static org.apache.xtable.spark.extensions.NotUsedReason.TIME_TRAVEL;
import static org.apache.xtable.spark.extensions.NotUsedReason.TOO_MANY_KEYS;
import static org.apache.xtable.spark.extensions.NotUsedReason.UNKNOWN_SNAPSHOT;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.iceberg.PartitionScanTask;
import org.apache.iceberg.spark.source.PlannedScan;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.KeyLocations;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SyncedState;
import org.apache.xtable.index.iceberg.CoveredFiles;
import org.apache.xtable.index.iceberg.TableDataPath;
import org.apache.xtable.spark.extensions.IndexScanPruner.Selection;
import org.apache.xtable.spark.extensions.PruningDecision.NotUsed;
import org.apache.xtable.spark.extensions.PruningDecision.Used;

/**
 * Decides for one scan whether its index is used, and selects the files. The checks go from cheap
 * to dear; storage is not touched for a scan without keys.
 */
final class ScanSelector {
  private static final String RUN_SYNC =
      "run the sync job (org.apache.xtable.spark.XTableSparkSync) to bring it up to date";

  private final PlannedScan scan;
  private final PruningSettings settings;
  private final Function<DataPath, Optional<SecondaryIndex>> finder;
  private final Footers footers;

  /**
   * @param finder finds the index in a data path
   * @param footers reads the row groups of data files
   */
  ScanSelector(
      PlannedScan scan,
      PruningSettings settings,
      Function<DataPath, Optional<SecondaryIndex>> finder,
      Footers footers) {
    this.scan = scan;
    this.settings = settings;
    this.finder = finder;
    this.footers = footers;
  }

  /**
   * @throws RuntimeException if the index cannot be read
   */
  Selection select() {
    KeyConstraints constraints =
        KeyConstraints.of(scan.schema(), scan.filters(), scan.caseSensitive());
    if (constraints.fieldIds().isEmpty()) {
      return all(NotUsed.because(NO_KEYS));
    }
    long start = System.nanoTime();
    DataPath dataPath = TableDataPath.of(scan.table());
    Optional<SecondaryIndex> found = finder.apply(dataPath);
    if (found.isEmpty()) {
      return all(NotUsed.because(NO_INDEX));
    }
    SecondaryIndex index = found.get();
    return obstacle(index.state(), constraints)
        .map(this::all)
        .orElseGet(() -> lookUp(index, constraints, dataPath, start));
  }

  /** Why an index in a state cannot help, if so; needs no lookup. */
  private Optional<NotUsed> obstacle(SyncedState state, KeyConstraints constraints) {
    if (scan.timeTravel()) {
      return Optional.of(NotUsed.because(TIME_TRAVEL));
    }
    if (!state.tableUuid().equals(scan.table().uuid().toString())) {
      return Optional.of(otherTable(state));
    }
    Optional<NotUsed> changed = changedColumn(state.column(), constraints);
    if (changed.isPresent()) {
      return changed;
    }
    Optional<Set<Object>> keys = constraints.keys(state.column().fieldId());
    if (keys.isEmpty()) {
      return Optional.of(NotUsed.because(OTHER_COLUMN, "the index is of " + state.column().name()));
    }
    if (scan.tasks().isEmpty()) {
      return Optional.of(NotUsed.because(NO_CANDIDATES));
    }
    return staleness(state)
        .or(this::smallness)
        .or(() -> keys.get().size() > settings.maxKeys() ? tooMany(keys.get()) : Optional.empty());
  }

  private NotUsed otherTable(SyncedState state) {
    return NotUsed.because(
        OTHER_TABLE,
        String.format(
            "the index is of the table with UUID %s, this one has %s; %s",
            state.tableUuid(), scan.table().uuid(), RUN_SYNC));
  }

  /**
   * Whether a filter is on the indexed column and that was renamed, or on its successor in name.
   */
  private Optional<NotUsed> changedColumn(IndexedColumn column, KeyConstraints constraints) {
    return constraints.fieldIds().stream()
        .filter(
            id ->
                (id == column.fieldId()) != scan.schema().findColumnName(id).equals(column.name()))
        .findFirst()
        .map(id -> NotUsed.because(COLUMN_CHANGED, changeOf(column, id)));
  }

  private String changeOf(IndexedColumn column, int filteredId) {
    String change =
        filteredId == column.fieldId()
            ? String.format(
                "column %s was renamed to %s",
                column.name(), scan.schema().findColumnName(filteredId))
            : String.format(
                "column %s is another column now (field id %d, was %d)",
                column.name(), filteredId, column.fieldId());
    return String.format(
        "%s. Delete the index, that is the folder %s in %s, and sync again to index the column"
            + " anew; or run the query without index: SET %s=false",
        change, DataPath.INDEX_FOLDER, TableDataPath.of(scan.table()), PruningSettings.ENABLED_KEY);
  }

  private Optional<NotUsed> staleness(SyncedState state) {
    if (scan.snapshotId().isEmpty()) {
      return Optional.of(NotUsed.because(UNKNOWN_SNAPSHOT));
    }
    long planned = scan.snapshotId().getAsLong();
    if (planned == state.snapshotId()) {
      return Optional.empty();
    }
    return Optional.of(NotUsed.because(STALE, differenceOf(state.snapshotId(), planned)));
  }

  private String differenceOf(long synced, long planned) {
    if (synced == SyncedState.NO_SNAPSHOT) {
      return String.format(
          "it is synced to the empty table, the query reads snapshot %d; %s", planned, RUN_SYNC);
    }
    String snapshots =
        String.format("it is synced to snapshot %d, the query reads snapshot %d", synced, planned);
    return scan.table().snapshot(synced) != null
        ? snapshots + "; " + RUN_SYNC
        : snapshots
            + ", and the table as this session knows it does not have the former: if the session"
            + " caches an older state of the table, REFRESH TABLE; if not, "
            + RUN_SYNC;
  }

  private Optional<NotUsed> smallness() {
    ScanSize size = ScanSize.of(scan.tasks());
    if (size.files() >= settings.minCandidateFiles()
        || size.bytes() >= settings.minCandidateBytes()) {
      return Optional.empty();
    }
    return Optional.of(
        NotUsed.because(
            SMALL_SCAN,
            String.format(
                "%d candidate files of %d bytes, less than %s=%d and %s=%d",
                size.files(),
                size.bytes(),
                PruningSettings.MIN_CANDIDATE_FILES_KEY,
                settings.minCandidateFiles(),
                PruningSettings.MIN_CANDIDATE_BYTES_KEY,
                settings.minCandidateBytes())));
  }

  private Optional<NotUsed> tooMany(Set<Object> keys) {
    return Optional.of(
        NotUsed.because(
            TOO_MANY_KEYS,
            String.format(
                "%d, more than %s=%d",
                keys.size(), PruningSettings.MAX_KEYS_KEY, settings.maxKeys())));
  }

  private Selection lookUp(
      SecondaryIndex index, KeyConstraints constraints, DataPath dataPath, long start) {
    IndexedColumn column = index.state().column();
    Set<Object> keys = constraints.keys(column.fieldId()).orElseThrow();
    KeyLocations locations;
    try {
      locations = keys.isEmpty() ? KeyLocations.none() : index.lookup(keys);
    } catch (RuntimeException e) {
      if (index.isCurrent()) {
        throw e;
      }
      return all(NotUsed.because(INDEX_CHANGED)); // its files went away
    }
    if (!index.isCurrent()) {
      return all(NotUsed.because(INDEX_CHANGED));
    }
    List<PartitionScanTask> selected = tasksWith(locations, new CoveredFiles(dataPath));
    long nanos = System.nanoTime() - start;
    return Selection.some(
        selected,
        new Used(
            column.name(), keys.size(), ScanSize.of(scan.tasks()), ScanSize.of(selected), nanos));
  }

  private List<PartitionScanTask> tasksWith(KeyLocations locations, CoveredFiles covered) {
    List<PartitionScanTask> files =
        scan.tasks().stream()
            .filter(task -> mayHoldKeys(task, covered, locations))
            .collect(Collectors.toList());
    return new RowGroupSelector(footers, covered, locations).narrow(files, scan.table().io());
  }

  /** Files that the index does not cover may hold anything. */
  private static boolean mayHoldKeys(
      PartitionScanTask task, CoveredFiles covered, KeyLocations locations) {
    return !task.isFileScanTask()
        || covered.relativePath(task.asFileScanTask().file()).map(locations::hasFile).orElse(true);
  }

  private Selection all(NotUsed decision) {
    return Selection.all(scan.tasks(), decision);
  }
}
