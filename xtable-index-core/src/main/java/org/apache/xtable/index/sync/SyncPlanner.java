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
package org.apache.xtable.index.sync;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.KeyType;
import org.apache.xtable.index.StoredIndex;
import org.apache.xtable.index.SyncedState;
import org.apache.xtable.index.iceberg.CoveredFile;
import org.apache.xtable.index.iceberg.CoveredFiles;
import org.apache.xtable.index.iceberg.FileChanges;
import org.apache.xtable.index.iceberg.IndexableColumn;
import org.apache.xtable.index.iceberg.TableDataPath;
import org.apache.xtable.index.iceberg.TableFiles;
import org.apache.xtable.index.sync.SyncPlan.Action;

/**
 * Decides what a sync has to do. Reads the table's metadata and changes nothing.
 *
 * <p>Not thread-safe.
 */
public final class SyncPlanner {
  /**
   * From so many rows on, reading all of a table can be cheaper than an increment: its entries are
   * written again, and all old ones with them, when the index is compacted.
   */
  private static final long MIN_ROWS_TO_COMPARE = 1_000_000;

  private final Table table;
  private final String columnName;
  private final DataPath dataPath;
  private final TableFiles files;
  private final Snapshot current;
  private final String tableUuid;

  /**
   * @param table the table, refreshed; its current snapshot is the one that the plan is for
   * @param columnName the column that is to be indexed
   * @throws IndexException if the table has no UUID
   */
  public SyncPlanner(Table table, String columnName) {
    this.table = Objects.requireNonNull(table, "table is null");
    this.columnName = Objects.requireNonNull(columnName, "columnName is null");
    this.dataPath = TableDataPath.of(table);
    this.files = new TableFiles(table, new CoveredFiles(dataPath));
    this.current = table.currentSnapshot();
    this.tableUuid = uuid(table);
  }

  /**
   * @param stored the index that is there; asked for its covered files only when the table no
   *     longer tells what changed since the synced snapshot
   * @throws IndexException if the column cannot be indexed, or is not the one that the index has
   */
  public SyncPlan plan(StoredIndex stored) {
    Optional<SyncedState> synced = stored.state();
    if (synced.isEmpty()) {
      return all(Action.BUILD, "the table has no index yet", indexable(), Collections.emptySet());
    }
    SyncedState state = synced.get();
    requireSameName(state.column());
    if (!state.tableUuid().equals(tableUuid)) {
      String reason = "the index is of another table that was at this place, " + state.tableUuid();
      return all(Action.REBUILD, reason, indexable(), Collections.emptySet());
    }
    IndexedColumn column = requireSameField(state.column());
    if (!keysStay(state.column().type(), column.type())) {
      String reason =
          String.format("the column's type changed from %s to %s", state.column(), column);
      return all(Action.REBUILD, reason, column, Collections.emptySet());
    }
    if (state.snapshotId() == currentId() && state.column().equals(column)) {
      return new SyncPlan(
          Action.NOTHING,
          "the index is synced to the table's current snapshot",
          state,
          Collections.emptyList(),
          Collections.emptySet());
    }
    return increment(state, column, stored);
  }

  /**
   * A plan to replace an index that cannot be trusted.
   *
   * @param reason why, as a clause for logs
   */
  public SyncPlan rebuild(String reason) {
    return all(Action.REBUILD, reason, indexable(), Collections.emptySet());
  }

  private SyncPlan increment(SyncedState state, IndexedColumn column, StoredIndex stored) {
    FileChanges changes = changes(state, stored);
    long addedRows = rows(changes.added());
    long indexedRows = state.indexedRows() + addedRows;
    long garbage = indexedRows - changes.liveRows();
    boolean nothingStays = changes.added().size() == changes.liveFiles();
    if (nothingStays && state.entries() > 0) {
      return all(Action.REBUILD, "no indexed file is left", column, changes.removed());
    }
    if (garbage > changes.liveRows()) {
      String reason =
          String.format(
              "entries of removed files outweigh live ones, %d rows to %d",
              garbage, changes.liveRows());
      return all(Action.REBUILD, reason, column, changes.removed());
    }
    long keptRows = changes.liveRows() - addedRows;
    if (addedRows > keptRows && changes.liveRows() >= MIN_ROWS_TO_COMPARE) {
      String reason =
          String.format("new files outweigh those that stay, %d rows to %d", addedRows, keptRows);
      return all(Action.REBUILD, reason, column, changes.removed());
    }
    if (stored.isOutgrownBy(changes.liveRows())) {
      String reason =
          String.format("the index was laid out for far fewer than %d rows", changes.liveRows());
      return all(Action.REBUILD, reason, column, changes.removed());
    }
    return new SyncPlan(
        Action.INCREMENT,
        String.format("the index is synced to snapshot %d", state.snapshotId()),
        state(column, state.entries(), indexedRows, changes.liveFiles(), changes.liveRows()),
        changes.added(),
        changes.removed());
  }

  private FileChanges changes(SyncedState state, StoredIndex stored) {
    boolean hadNone = state.snapshotId() == SyncedState.NO_SNAPSHOT;
    Snapshot from = hadNone ? null : table.snapshot(state.snapshotId());
    if (from == null && !hadNone) {
      return files.changes(stored.coveredFiles(), current);
    }
    return files
        .changes(from, current, state.liveFiles(), state.liveRows())
        .orElseGet(() -> files.changes(stored.coveredFiles(), current));
  }

  private SyncPlan all(Action action, String reason, IndexedColumn column, Set<String> removed) {
    List<CoveredFile> live = files.of(current);
    long rows = rows(live);
    return new SyncPlan(action, reason, state(column, 0, rows, live.size(), rows), live, removed);
  }

  private SyncedState state(
      IndexedColumn column, long entries, long indexedRows, long liveFiles, long liveRows) {
    return new SyncedState(
        tableUuid,
        currentId(),
        table.schema().schemaId(),
        column,
        entries,
        indexedRows,
        liveFiles,
        liveRows);
  }

  /** Format version 1 asks for none, and then Iceberg 1.9's {@link Table#uuid} throws. */
  private static String uuid(Table table) {
    if (table instanceof HasTableOperations
        && ((HasTableOperations) table).operations().current().uuid() == null) {
      throw new IndexException(
          String.format(
              "Cannot index %s: it has no UUID, by which an index knows its table; the next commit"
                  + " of an Iceberg writer gives it one, an empty append will do",
              table.name()));
    }
    return table.uuid().toString();
  }

  private long currentId() {
    return current == null ? SyncedState.NO_SNAPSHOT : current.snapshotId();
  }

  private static long rows(Collection<CoveredFile> files) {
    return files.stream().mapToLong(CoveredFile::rows).sum();
  }

  private IndexedColumn indexable() {
    return IndexableColumn.in(table.schema(), columnName);
  }

  private void requireSameName(IndexedColumn indexed) {
    if (indexed.name().equals(columnName)) {
      return;
    }
    NestedField field = table.schema().findField(indexed.fieldId());
    boolean renamed = field != null && field.name().equals(columnName);
    throw new IndexException(
        String.format(
            "Cannot index column '%s' of %s: its index is of column '%s'%s; %s",
            columnName,
            table.name(),
            indexed.name(),
            renamed ? ", which was renamed after the last sync" : "",
            howToRebuild()));
  }

  private IndexedColumn requireSameField(IndexedColumn indexed) {
    Optional<NestedField> named =
        table.schema().columns().stream()
            .filter(field -> field.name().equals(columnName))
            .findFirst();
    if (named.isPresent() && named.get().fieldId() == indexed.fieldId()) {
      return indexable();
    }
    throw new IndexException(
        String.format(
            "Cannot sync the index of column '%s' of %s: %s; %s",
            columnName, table.name(), whatBecameOf(indexed, named), howToRebuild()));
  }

  private String whatBecameOf(IndexedColumn indexed, Optional<NestedField> named) {
    NestedField field = table.schema().findField(indexed.fieldId());
    String fate =
        field == null ? "was dropped" : String.format("was renamed to '%s'", field.name());
    String reuse =
        named
            .map(other -> String.format(" and its name given to field id %d", other.fieldId()))
            .orElse("");
    return String.format("field id %d %s%s", indexed.fieldId(), fate, reuse);
  }

  private String howToRebuild() {
    return String.format(
        "to index another column, or this one anew, delete the folder %s and sync again",
        dataPath.resolve(DataPath.INDEX_FOLDER));
  }

  /** An int column that was widened keeps its keys: {@link org.apache.xtable.index.KeyEncoding}. */
  private static boolean keysStay(KeyType before, KeyType now) {
    return before == now || (before == KeyType.INT && now == KeyType.BIGINT);
  }
}
