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
package org.apache.xtable.index.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.xtable.index.IcebergTable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C4, C8, C10: which files a snapshot has, and what changed between two. */
class TableFilesTest {
  @TempDir Path folder;
  private IcebergTable iceberg;

  @BeforeEach
  void createTable() {
    iceberg = IcebergTable.create(folder.resolve("t"));
  }

  @Test
  void tableWithoutSnapshotHasNoFiles() {
    assertThat(files().of(null)).isEmpty();
  }

  @Test
  void filesComeWithWhatABuildNeeds() {
    DataFile file = iceberg.append(7);
    CoveredFile covered = files().of(current()).get(0);
    assertThat(covered.relativePath()).isEqualTo(name(file));
    assertThat(covered.rows()).isEqualTo(7);
    assertThat(covered.bytes()).isEqualTo(file.fileSizeInBytes());
    assertThat(covered.dataFile().splitOffsets()).isEqualTo(file.splitOffsets());
    assertThat(covered.dataFile().location()).isEqualTo(file.location());
    assertThat(covered.dataFile().lowerBounds()).as("statistics are left out").isNull();
  }

  @Test
  void filesWhoseRowsAreAllHiddenStay() {
    DataFile file = iceberg.append(3);
    long before = iceberg.currentId();
    iceberg.hideRows(file);
    assertThat(names(files().of(current()))).containsExactly(name(file));
    assertThat(changes(before).added()).isEmpty();
    assertThat(changes(before).removed()).isEmpty();
  }

  @Test
  void filesThatCannotBeIndexedAreLeftOut() {
    DataFile avro = iceberg.write(1, FileFormat.AVRO);
    DataFile outside =
        iceberg.writeTo(
            folder.resolve("outside.parquet").toUri().toString(), 1, FileFormat.PARQUET);
    iceberg.table().newAppend().appendFile(avro).appendFile(outside).commit();
    assertThat(files().of(current())).isEmpty();
  }

  @Test
  void fileThatIsInASnapshotTwiceIsListedOnce() {
    DataFile file = iceberg.append(2);
    iceberg.table().newFastAppend().appendFile(file).commit();
    assertThat(current().dataManifests(iceberg.table().io())).hasSize(2);
    assertThat(names(files().of(current()))).containsExactly(name(file));
  }

  @Test
  void appendsAdd() {
    iceberg.append(1);
    long before = iceberg.currentId();
    DataFile second = iceberg.append(2);
    DataFile third = iceberg.append(3);
    FileChanges changes = changes(before, 1, 1);
    assertThat(names(changes.added())).containsExactlyInAnyOrder(name(second), name(third));
    assertThat(changes.removed()).isEmpty();
    assertThat(changes.liveFiles()).isEqualTo(3);
    assertThat(changes.liveRows()).isEqualTo(6);
  }

  @Test
  void firstAppendToATableWithoutSnapshotAdds() {
    DataFile file = iceberg.append(4);
    FileChanges changes = files().changes(null, current(), 0, 0).orElseThrow();
    assertThat(names(changes.added())).containsExactly(name(file));
    assertThat(changes.liveRows()).isEqualTo(4);
  }

  @Test
  void fileThatCameAndWentIsNeitherAddedNorRemoved() {
    iceberg.append(1);
    long before = iceberg.currentId();
    DataFile passing = iceberg.append(2);
    iceberg.table().newDelete().deleteFile(passing).commit();
    assertThat(changes(before).added()).isEmpty();
    assertThat(changes(before).removed()).isEmpty();
  }

  @Test
  void deletesOverwritesAndRewritesRemoveAndAdd() {
    DataFile kept = iceberg.append(1);
    DataFile deleted = iceberg.append(2);
    DataFile overwritten = iceberg.append(3);
    DataFile rewritten = iceberg.append(4);
    long before = iceberg.currentId();
    iceberg.table().newDelete().deleteFile(deleted).commit();
    DataFile over = iceberg.write(5);
    iceberg.table().newOverwrite().deleteFile(overwritten).addFile(over).commit();
    DataFile compact = iceberg.write(4);
    iceberg.table().newRewrite().deleteFile(rewritten).addFile(compact).commit();

    FileChanges changes = changes(before, 4, 10);
    assertThat(names(changes.added())).containsExactlyInAnyOrder(name(over), name(compact));
    assertThat(changes.removed())
        .containsExactlyInAnyOrder(name(deleted), name(overwritten), name(rewritten));
    assertThat(changes.liveFiles()).isEqualTo(3);
    assertThat(changes.liveRows()).isEqualTo(kept.recordCount() + 5 + 4);
  }

  @Test
  void rewrittenManifestsChangeNothing() {
    iceberg.append(1);
    iceberg.append(2);
    long before = iceberg.currentId();
    iceberg.table().rewriteManifests().clusterBy(file -> 1).commit();
    assertThat(iceberg.currentId()).isNotEqualTo(before);
    assertThat(changes(before).added()).isEmpty();
    assertThat(changes(before).removed()).isEmpty();
  }

  @Test
  void rollbackTakesBack() {
    DataFile first = iceberg.append(1);
    long earlier = iceberg.currentId();
    DataFile replacing = iceberg.write(2);
    iceberg.table().newOverwrite().deleteFile(first).addFile(replacing).commit();
    long synced = iceberg.currentId();
    iceberg.table().manageSnapshots().rollbackTo(earlier).commit();
    FileChanges changes = changes(synced, 1, 2);
    assertThat(names(changes.added())).containsExactly(name(first));
    assertThat(changes.removed()).containsExactly(name(replacing));
    assertThat(changes.liveRows()).isEqualTo(1);
  }

  @Test
  void rollbackOfASecondAppendOfAFileDoesNotRemoveTheFile() {
    DataFile file = iceberg.append(1);
    long earlier = iceberg.currentId();
    iceberg.table().newFastAppend().appendFile(file).commit();
    long synced = iceberg.currentId();
    iceberg.table().manageSnapshots().rollbackTo(earlier).commit();
    assertThat(changes(synced).removed()).isEmpty();
  }

  @Test
  void cherryPickAdds() {
    iceberg.append(1);
    long before = iceberg.currentId();
    DataFile staged = iceberg.write(2);
    iceberg.table().newAppend().appendFile(staged).stageOnly().commit();
    Table table = iceberg.table();
    long stagedId =
        java.util.stream.StreamSupport.stream(table.snapshots().spliterator(), false)
            .map(Snapshot::snapshotId)
            .filter(id -> id != before)
            .findFirst()
            .orElseThrow();
    assertThat(changes(before).added()).as("staged only").isEmpty();
    table.manageSnapshots().cherrypick(stagedId).commit();
    assertThat(names(changes(before).added())).containsExactly(name(staged));
  }

  @Test
  void branchesDoNotMatter() {
    iceberg.append(1);
    long before = iceberg.currentId();
    iceberg.table().manageSnapshots().createBranch("b", before).commit();
    iceberg.table().newAppend().appendFile(iceberg.write(1)).toBranch("b").commit();
    assertThat(iceberg.currentId()).isEqualTo(before);
    assertThat(files().of(current())).hasSize(1);
  }

  @Test
  void partitionEvolutionKeepsOldFilesAndAddsNewOnes() {
    DataFile unpartitioned = iceberg.append(1);
    long before = iceberg.currentId();
    iceberg.table().updateSpec().addField(Expressions.bucket("id", 4)).commit();
    DataFile partitioned = iceberg.append(2);
    FileChanges changes = changes(before, 1, 1);
    assertThat(names(changes.added())).containsExactly(name(partitioned));
    assertThat(changes.removed()).isEmpty();
    assertThat(names(files().of(current())))
        .containsExactlyInAnyOrder(name(unpartitioned), name(partitioned));
  }

  @Test
  void expiredSnapshotIsReplacedByTheKnownFiles() {
    DataFile gone = iceberg.append(1);
    DataFile kept = iceberg.append(2);
    long synced = iceberg.currentId();
    iceberg.table().newDelete().deleteFile(gone).commit();
    DataFile added = iceberg.append(3);
    iceberg.expire(synced);
    assertThat(iceberg.table().snapshot(synced)).isNull();
    FileChanges changes = files().changes(Set.of(name(gone), name(kept)), current());
    assertThat(names(changes.added())).containsExactly(name(added));
    assertThat(changes.removed()).containsExactly(name(gone));
    assertThat(changes.liveFiles()).isEqualTo(2);
    assertThat(changes.liveRows()).isEqualTo(5);
  }

  @Test
  void snapshotsInBetweenMayBeExpired() {
    iceberg.append(1);
    long synced = iceberg.currentId();
    DataFile second = iceberg.append(2);
    long between = iceberg.currentId();
    DataFile third = iceberg.append(3);
    iceberg.expire(between);
    assertThat(names(changes(synced).added())).containsExactlyInAnyOrder(name(second), name(third));
  }

  @Test
  void lostMetadataOfTheSyncedSnapshotIsNoError() {
    DataFile file = iceberg.append(1);
    Snapshot synced = current();
    iceberg.table().newDelete().deleteFile(file).commit();
    assertThat(new File(java.net.URI.create(synced.manifestListLocation())).delete()).isTrue();
    assertThat(files().changes(iceberg.table().snapshot(synced.snapshotId()), current(), 1, 1))
        .isEmpty();
  }

  @Test
  void lostManifestOfTheSyncedSnapshotIsNoError() {
    DataFile file = iceberg.append(1);
    Snapshot synced = current();
    ManifestFile manifest = synced.dataManifests(iceberg.table().io()).get(0);
    iceberg.table().newDelete().deleteFile(file).commit();
    assertThat(new File(java.net.URI.create(manifest.path())).delete()).isTrue();
    assertThat(files().changes(synced, current(), 1, 1)).isEmpty();
  }

  @Test
  void incrementReadsNoManifestThatBothSnapshotsHave() {
    iceberg.append(1);
    iceberg.append(2);
    Snapshot synced = current();
    DataFile added = iceberg.append(3);
    for (ManifestFile shared : synced.dataManifests(iceberg.table().io())) {
      assertThat(new File(java.net.URI.create(shared.path())).delete()).isTrue();
    }
    assertThat(names(changes(synced.snapshotId()).added())).containsExactly(name(added));
  }

  @Test
  void twoWaysToWriteOneLocationAreOneFile() {
    DataFile file = iceberg.append(1);
    long before = iceberg.currentId();
    DataFile sameElsewise =
        DataFiles.builder(iceberg.table().spec())
            .copy(file)
            .withPath(file.location().replaceFirst("^file:/+", "/"))
            .build();
    iceberg.table().newOverwrite().deleteFile(file).addFile(sameElsewise).commit();
    assertThat(changes(before).added()).isEmpty();
    assertThat(changes(before).removed()).isEmpty();
  }

  @Test
  void formatVersionOneIsRead() {
    iceberg = IcebergTable.create(folder.resolve("v1"), Map.of("format-version", "1"));
    DataFile file = iceberg.append(2);
    assertThat(names(files().of(current()))).containsExactly(name(file));
  }

  private TableFiles files() {
    Table table = iceberg.table();
    return new TableFiles(table, new CoveredFiles(TableDataPath.of(table)));
  }

  private Snapshot current() {
    return iceberg.table().currentSnapshot();
  }

  private FileChanges changes(long from) {
    return changes(from, 0, 0);
  }

  private FileChanges changes(long from, long files, long rows) {
    return files().changes(iceberg.table().snapshot(from), current(), files, rows).orElseThrow();
  }

  private String name(DataFile file) {
    return TableDataPath.of(iceberg.table()).relativize(file.location()).orElseThrow();
  }

  private static List<String> names(List<CoveredFile> files) {
    return files.stream().map(CoveredFile::relativePath).collect(Collectors.toList());
  }
}
