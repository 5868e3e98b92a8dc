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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.types.Types;
import org.apache.xtable.index.IcebergTable;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.KeyType;
import org.apache.xtable.index.StoredIndex;
import org.apache.xtable.index.SyncedState;
import org.apache.xtable.index.iceberg.CoveredFile;
import org.apache.xtable.index.sync.SyncPlan.Action;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C4, C5, C6, C10, C11: what a sync decides to do. */
class SyncPlannerTest {
  @TempDir Path folder;
  private IcebergTable iceberg;

  @BeforeEach
  void createTable() {
    iceberg = IcebergTable.create(folder.resolve("t"));
  }

  @Test
  void firstSyncBuildsFromTheCurrentSnapshot() {
    DataFile a = iceberg.append(3);
    DataFile b = iceberg.append(4);
    SyncPlan plan = plan(Optional.empty(), "c");
    assertThat(plan.action()).isEqualTo(Action.BUILD);
    assertThat(names(plan)).containsExactlyInAnyOrder(name(a), name(b));
    assertThat(plan.snapshotId()).contains(iceberg.currentId());
    assertThat(plan.column()).isEqualTo(new IndexedColumn("c", 2, KeyType.STRING));
    SyncedState state = plan.stateAfter(5);
    assertThat(state.entries()).isEqualTo(5);
    assertThat(state.indexedRows()).isEqualTo(7);
    assertThat(state.liveFiles()).isEqualTo(2);
    assertThat(state.liveRows()).isEqualTo(7);
    assertThat(state.tableUuid()).isEqualTo(iceberg.table().uuid().toString());
  }

  @Test
  void tableWithoutSnapshotGetsAnEmptyIndex() {
    SyncPlan plan = plan(Optional.empty(), "c");
    assertThat(plan.action()).isEqualTo(Action.BUILD);
    assertThat(plan.added()).isEmpty();
    assertThat(plan.snapshotId()).isEmpty();
    SyncedState state = plan.stateAfter(0);
    assertThat(state.snapshotId()).isEqualTo(SyncedState.NO_SNAPSHOT);
    assertThat(plan(Optional.of(state), "c").action()).isEqualTo(Action.NOTHING);

    DataFile first = iceberg.append(1);
    SyncPlan next = plan(Optional.of(state), "c");
    assertThat(next.action()).isEqualTo(Action.INCREMENT);
    assertThat(names(next)).containsExactly(name(first));
  }

  @Test
  void sameSnapshotIsNothingToDo() {
    iceberg.append(3);
    SyncPlan plan = plan(Optional.of(built(3)), "c");
    assertThat(plan.action()).isEqualTo(Action.NOTHING);
    assertThat(plan.reason()).isEqualTo("the index is synced to the table's current snapshot");
  }

  @Test
  void laterSyncReadsOnlyNewFiles() {
    iceberg.append(3);
    SyncedState state = built(3);
    DataFile added = iceberg.append(2);
    SyncPlan plan = plan(Optional.of(state), "c");
    assertThat(plan.action()).isEqualTo(Action.INCREMENT);
    assertThat(names(plan)).containsExactly(name(added));
    SyncedState after = plan.stateAfter(2);
    assertThat(after.entries()).isEqualTo(5);
    assertThat(after.indexedRows()).isEqualTo(5);
    assertThat(after.liveFiles()).isEqualTo(2);
    assertThat(after.liveRows()).isEqualTo(5);
    assertThat(after.snapshotId()).isEqualTo(iceberg.currentId());
    assertThat(plan(Optional.of(after), "c").action()).isEqualTo(Action.NOTHING);
  }

  @Test
  void snapshotWithoutNewFilesMovesTheState() {
    DataFile file = iceberg.append(3);
    SyncedState state = built(3);
    iceberg.hideRows(file);
    SyncPlan plan = plan(Optional.of(state), "c");
    assertThat(plan.action()).isEqualTo(Action.INCREMENT);
    assertThat(plan.added()).isEmpty();
    assertThat(plan.removed()).isEmpty();
    assertThat(plan.snapshotId()).contains(iceberg.currentId());
  }

  @Test
  void anIncrementRemembersGarbage() {
    DataFile removed = iceberg.append(3);
    iceberg.append(7);
    SyncedState state = built(10);
    iceberg.table().newDelete().deleteFile(removed).commit();
    SyncPlan plan = plan(Optional.of(state), "c");
    assertThat(plan.action()).isEqualTo(Action.INCREMENT);
    assertThat(plan.removed()).containsExactly(name(removed));
    assertThat(plan.stateAfter(0).indexedRows()).isEqualTo(10);
    assertThat(plan.stateAfter(0).liveRows()).isEqualTo(7);
  }

  @Test
  void rebuildStartsWhenGarbageOutweighsLiveEntries() {
    DataFile removed = iceberg.append(7);
    DataFile kept = iceberg.append(3);
    SyncedState state = built(10);
    iceberg.table().newDelete().deleteFile(removed).commit();
    DataFile added = iceberg.append(3);
    SyncPlan plan = plan(Optional.of(state), "c");
    assertThat(plan.action()).isEqualTo(Action.REBUILD);
    assertThat(plan.reason()).isEqualTo("entries of removed files outweigh live ones, 7 rows to 6");
    assertThat(names(plan)).containsExactlyInAnyOrder(name(kept), name(added));
    assertThat(plan.removed()).containsExactly(name(removed));
    SyncedState after = plan.stateAfter(6);
    assertThat(after.entries()).isEqualTo(6);
    assertThat(after.indexedRows()).isEqualTo(6);
  }

  @Test
  void rebuildStartsWhenNoIndexedFileIsLeft() {
    DataFile old = iceberg.append(3);
    SyncedState state = built(3);
    DataFile replacing = iceberg.write(9);
    iceberg.table().newOverwrite().deleteFile(old).addFile(replacing).commit();
    SyncPlan plan = plan(Optional.of(state), "c");
    assertThat(plan.action()).isEqualTo(Action.REBUILD);
    assertThat(plan.reason()).isEqualTo("no indexed file is left");
  }

  @Test
  @DisplayName("C11: a rebuild that is cheaper than the increment and its compaction")
  void rebuildStartsWhenNewFilesOutweighThoseThatStay() {
    DataFile kept = iceberg.append(400_000);
    SyncedState state = built(400_000);
    DataFile added = iceberg.append(599_999);
    assertThat(plan(Optional.of(state), "c").action())
        .as("of a small table")
        .isEqualTo(Action.INCREMENT);
    DataFile another = iceberg.append(1);
    SyncPlan plan = plan(Optional.of(state), "c");
    assertThat(plan.action()).isEqualTo(Action.REBUILD);
    assertThat(plan.reason())
        .isEqualTo("new files outweigh those that stay, 600000 rows to 400000");
    assertThat(names(plan)).containsExactlyInAnyOrder(name(kept), name(added), name(another));
  }

  @Test
  @DisplayName("C11: an index that was built for a small table does not stay small forever")
  void rebuildStartsWhenTheIndexIsOutgrown() {
    iceberg.append(3);
    SyncedState state = built(3);
    iceberg.append(2);
    SyncPlanner planner = new SyncPlanner(iceberg.table(), "c");
    assertThat(planner.plan(new Stored(Optional.of(state), null, 5)).action())
        .isEqualTo(Action.INCREMENT);
    SyncPlan plan = planner.plan(new Stored(Optional.of(state), null, 4));
    assertThat(plan.action()).isEqualTo(Action.REBUILD);
    assertThat(plan.reason()).isEqualTo("the index was laid out for far fewer than 5 rows");
  }

  @Test
  void expiredSnapshotMeansAnIncrementFromTheKnownFiles() {
    DataFile known = iceberg.append(3);
    SyncedState state = built(3);
    long synced = iceberg.currentId();
    DataFile added = iceberg.append(2);
    iceberg.expire(synced);
    SyncPlan plan =
        new SyncPlanner(iceberg.table(), "c")
            .plan(new Stored(Optional.of(state), Set.of(name(known)), Long.MAX_VALUE));
    assertThat(plan.action()).isEqualTo(Action.INCREMENT);
    assertThat(names(plan)).containsExactly(name(added));
    assertThat(plan.stateAfter(0).liveRows()).isEqualTo(5);
  }

  @Test
  void anotherTableAtThePlaceMeansARebuild() {
    iceberg.append(3);
    SyncedState state = built(3);
    new HadoopTables().dropTable(iceberg.table().location(), true);
    iceberg = IcebergTable.create(folder.resolve("t"));
    DataFile file = iceberg.append(2);
    SyncPlan plan = plan(Optional.of(state), "c");
    assertThat(plan.action()).isEqualTo(Action.REBUILD);
    assertThat(plan.reason()).contains("another table").contains(state.tableUuid());
    assertThat(names(plan)).containsExactly(name(file));
  }

  @Test
  void otherColumnFailsNamingBothAndTheWayOut() {
    iceberg.append(3);
    assertThatThrownBy(() -> plan(Optional.of(built(3)), "n"))
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith("Cannot index column 'n' of ")
        .hasMessageContaining("its index is of column 'c'; ")
        .hasMessageContaining("delete the folder " + iceberg.table().location() + "/data/.hoodie")
        .hasMessageEndingWith("and sync again");
  }

  @Test
  void otherColumnFailsEvenIfTheTableWasReplaced() {
    SyncedState state = built(0);
    SyncedState ofOtherTable =
        new SyncedState("other", state.snapshotId(), 0, state.column(), 0, 0, 0, 0);
    assertThatThrownBy(() -> plan(Optional.of(ofOtherTable), "n"))
        .hasMessageContaining("its index is of column 'c'");
  }

  @Test
  void columnThatDiffersInCaseIsAnother() {
    iceberg.table().updateSchema().addColumn("C", Types.StringType.get()).commit();
    assertThatThrownBy(() -> plan(Optional.of(built(0)), "C"))
        .hasMessageStartingWith("Cannot index column 'C' of ")
        .hasMessageContaining("its index is of column 'c'; ");
  }

  @Test
  void renamedColumnFailsUnderEitherName() {
    iceberg.append(1);
    SyncedState state = built(1);
    iceberg.table().updateSchema().renameColumn("c", "d").commit();
    assertThatThrownBy(() -> plan(Optional.of(state), "c"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("field id 2 was renamed to 'd'")
        .hasMessageContaining(".hoodie");
    assertThatThrownBy(() -> plan(Optional.of(state), "d"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("its index is of column 'c', which was renamed after the last sync");
  }

  @Test
  void nameThatWasGivenToAnotherFieldFails() {
    SyncedState state = built(0);
    iceberg.table().updateSchema().renameColumn("c", "d").commit();
    iceberg.table().updateSchema().addColumn("c", Types.StringType.get()).commit();
    assertThatThrownBy(() -> plan(Optional.of(state), "c"))
        .hasMessageContaining("field id 2 was renamed to 'd' and its name given to field id 5");
    iceberg.table().updateSchema().deleteColumn("d").commit();
    assertThatThrownBy(() -> plan(Optional.of(state), "c"))
        .hasMessageContaining("field id 2 was dropped and its name given to field id 5");
  }

  @Test
  void droppedColumnFails() {
    SyncedState state = built(0);
    iceberg.table().updateSchema().deleteColumn("c").commit();
    assertThatThrownBy(() -> plan(Optional.of(state), "c"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("field id 2 was dropped;");
  }

  @Test
  void widenedColumnKeepsItsIndexAndMovesTheState() {
    iceberg.append(1);
    SyncedState built = plan(Optional.empty(), "n").stateAfter(1);
    iceberg.table().updateSchema().updateColumn("n", Types.LongType.get()).commit();
    SyncPlan plan = plan(Optional.of(built), "n");
    assertThat(plan.action()).isEqualTo(Action.INCREMENT);
    assertThat(plan.added()).isEmpty();
    assertThat(plan.column().type()).isEqualTo(KeyType.BIGINT);
    assertThat(plan(Optional.of(plan.stateAfter(0)), "n").action()).isEqualTo(Action.NOTHING);
  }

  @Test
  void columnThatCannotBeIndexedFailsBeforeAnythingIsBuilt() {
    assertThatThrownBy(() -> plan(Optional.empty(), "price"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("double");
    assertThatThrownBy(() -> plan(Optional.empty(), "none"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("no such column");
  }

  private SyncedState built(long rows) {
    Table table = iceberg.table();
    long files =
        table.currentSnapshot() == null
            ? 0
            : Long.parseLong(table.currentSnapshot().summary().get("total-data-files"));
    return IcebergTable.state(table, rows, rows, files);
  }

  private SyncPlan plan(Optional<SyncedState> state, String column) {
    return new SyncPlanner(iceberg.table(), column).plan(new Stored(state, null, Long.MAX_VALUE));
  }

  private static final class Stored implements StoredIndex {
    private final Optional<SyncedState> state;
    private final Set<String> covered;
    private final long capacity;

    /**
     * @param covered null if nobody should ask for them
     */
    Stored(Optional<SyncedState> state, Set<String> covered, long capacity) {
      this.state = state;
      this.covered = covered;
      this.capacity = capacity;
    }

    @Override
    public Optional<SyncedState> state() {
      return state;
    }

    @Override
    public Set<String> coveredFiles() {
      assertThat(covered).as("covered files, which should not be asked for").isNotNull();
      return covered;
    }

    @Override
    public boolean isOutgrownBy(long rows) {
      return rows > capacity;
    }
  }

  private static List<String> names(SyncPlan plan) {
    return plan.added().stream().map(CoveredFile::relativePath).collect(Collectors.toList());
  }

  private static String name(DataFile file) {
    return file.location().substring(file.location().indexOf("/data/") + "/data/".length());
  }
}
