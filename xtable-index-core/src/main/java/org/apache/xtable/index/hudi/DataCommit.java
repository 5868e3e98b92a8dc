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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieReplaceCommitMetadata;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.table.HoodieTableConfig;

/** A replace commit that registers and unregisters Iceberg data files. Immutable. */
final class DataCommit {
  /**
   * The one partition of a Hudi table that has none. Folders are part of the file id instead, since
   * Hudi's partitions are columns and Iceberg's folders need not be.
   */
  private static final String NO_PARTITION = "";

  private final String schema;
  private final List<RegisteredFile> added;
  private final Collection<String> removed;

  DataCommit(HoodieTableConfig table, List<RegisteredFile> added, Collection<String> removed) {
    this.schema = table.getTableCreateSchema().map(Object::toString).orElse("");
    this.added = added;
    this.removed = removed;
  }

  HoodieReplaceCommitMetadata at(String instant) {
    HoodieReplaceCommitMetadata commit = new HoodieReplaceCommitMetadata();
    commit.setOperationType(WriteOperationType.INSERT_OVERWRITE);
    commit.addMetadata(HoodieCommitMetadata.SCHEMA_KEY, schema);
    added.forEach(file -> commit.addWriteStat(NO_PARTITION, stat(file, instant)));
    Map<String, List<String>> replaced = new HashMap<>();
    if (!removed.isEmpty()) {
      replaced.put(NO_PARTITION, new ArrayList<>(removed));
    }
    commit.setPartitionToReplaceFileIds(replaced);
    return commit;
  }

  private static HoodieWriteStat stat(RegisteredFile file, String instant) {
    HoodieWriteStat stat = new HoodieWriteStat();
    stat.setFileId(file.relativePath());
    stat.setPartitionPath(NO_PARTITION);
    stat.setPath(file.externalPath(instant));
    stat.setPrevCommit(HoodieWriteStat.NULL_COMMIT);
    stat.setNumWrites(file.rows());
    stat.setNumInserts(file.rows());
    stat.setTotalWriteBytes(file.bytes());
    stat.setFileSizeInBytes(file.bytes());
    return stat;
  }
}
