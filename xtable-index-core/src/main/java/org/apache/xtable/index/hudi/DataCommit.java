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

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.metadata.HoodieMetadataPayload;
import org.apache.hudi.metadata.HoodieTableMetadata;

/**
 * A commit that registers and unregisters Iceberg data files. Immutable.
 *
 * <p>Files that are gone are taken out of the metadata table's listing, as Hudi's cleaner does it.
 * They are not replaced in Hudi's sense: that would hide them for good, while a file comes back
 * when an Iceberg table is rolled back.
 */
final class DataCommit {
  /**
   * The one partition of a Hudi table that has none. Folders are part of the file id instead, since
   * Hudi's partitions are columns and Iceberg's folders need not be.
   */
  private static final String NO_PARTITION = "";

  private final String schema;
  private final List<RegisteredFile> added;
  private final Collection<String> removed;

  /**
   * @param removed relative paths
   */
  DataCommit(HoodieTableConfig table, List<RegisteredFile> added, Collection<String> removed) {
    this.schema = table.getTableCreateSchema().map(Object::toString).orElse("");
    this.added = added;
    this.removed = removed;
  }

  /**
   * @param buildInstant the instant of the index' build; see {@link RegisteredFile#externalPath}
   */
  HoodieCommitMetadata metadata(String buildInstant) {
    HoodieCommitMetadata commit = new HoodieCommitMetadata();
    commit.setOperationType(WriteOperationType.INSERT);
    commit.addMetadata(HoodieCommitMetadata.SCHEMA_KEY, schema);
    added.forEach(file -> commit.addWriteStat(NO_PARTITION, stat(file, buildInstant)));
    return commit;
  }

  /** The records of the metadata table's listing. */
  List<HoodieRecord<HoodieMetadataPayload>> listing(String buildInstant) {
    Map<String, Long> lengths = new HashMap<>();
    added.forEach(file -> lengths.put(file.externalPath(buildInstant), file.bytes()));
    List<String> gone =
        removed.stream()
            .map(path -> RegisteredFile.externalPath(path, buildInstant))
            .collect(Collectors.toList());
    return Arrays.asList(
        HoodieMetadataPayload.createPartitionListRecord(
            List.of(HoodieTableMetadata.NON_PARTITIONED_NAME)),
        HoodieMetadataPayload.createPartitionFilesRecord(NO_PARTITION, lengths, gone));
  }

  private static HoodieWriteStat stat(RegisteredFile file, String buildInstant) {
    HoodieWriteStat stat = new HoodieWriteStat();
    stat.setFileId(file.relativePath());
    stat.setPartitionPath(NO_PARTITION);
    stat.setPath(file.externalPath(buildInstant));
    stat.setPrevCommit(HoodieWriteStat.NULL_COMMIT);
    stat.setNumWrites(file.rows());
    stat.setNumInserts(file.rows());
    stat.setTotalWriteBytes(file.bytes());
    stat.setFileSizeInBytes(file.bytes());
    return stat;
  }
}
