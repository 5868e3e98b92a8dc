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

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.SyncedState;
import org.apache.xtable.index.iceberg.CoveredFile;

/**
 * What a sync of one table has to do, and why. The snapshot is pinned: what is committed to the
 * table meanwhile is for the next sync.
 *
 * <p>Immutable.
 */
public final class SyncPlan {
  /** What there is to do. */
  public enum Action {
    /** The index is what it should be. */
    NOTHING,
    /** There is no index: make one of all {@link #added} files. */
    BUILD,
    /** Add the entries of the {@link #added} files, perhaps none, and move the state. */
    INCREMENT,
    /** Replace the index by one of all {@link #added} files. */
    REBUILD
  }

  private final Action action;
  private final String reason;
  private final SyncedState target;
  private final List<CoveredFile> added;
  private final Set<String> removed;

  /**
   * @param target the state after the sync but for the entries: those before it
   */
  SyncPlan(
      Action action,
      String reason,
      SyncedState target,
      List<CoveredFile> added,
      Set<String> removed) {
    this.action = Objects.requireNonNull(action, "action is null");
    this.reason = Objects.requireNonNull(reason, "reason is null");
    this.target = Objects.requireNonNull(target, "target is null");
    this.added = Collections.unmodifiableList(added);
    this.removed = Collections.unmodifiableSet(removed);
  }

  public Action action() {
    return action;
  }

  /** Why, as a clause for logs: {@code the table has no index yet}. */
  public String reason() {
    return reason;
  }

  /** The column to index, as the table's current schema has it. */
  public IndexedColumn column() {
    return target.column();
  }

  /** The snapshot that the index will represent; empty for a table without one. */
  public Optional<Long> snapshotId() {
    return target.snapshotId() == SyncedState.NO_SNAPSHOT
        ? Optional.empty()
        : Optional.of(target.snapshotId());
  }

  /** The files whose values to read and index, each once. */
  public List<CoveredFile> added() {
    return added;
  }

  /** Relative paths of files whose entries became garbage. */
  public Set<String> removed() {
    return removed;
  }

  /** The state to store with the commit. */
  public SyncedState stateAfter(long entriesWritten) {
    return new SyncedState(
        target.tableUuid(),
        target.snapshotId(),
        target.schemaId(),
        target.column(),
        target.entries() + entriesWritten,
        target.indexedRows(),
        target.liveFiles(),
        target.liveRows());
  }

  @Override
  public String toString() {
    return String.format(
        "%s: %s (%d files to index, %d removed)", action, reason, added.size(), removed.size());
  }
}
