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
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.metadata.HoodieTableMetadata;
import org.apache.xtable.index.IndexException;

/** How many entries a sync wrote, and in how many bytes. Immutable. */
public final class WrittenEntries {
  private final long entries;
  private final long bytes;

  private WrittenEntries(long entries, long bytes) {
    this.entries = entries;
    this.bytes = bytes;
  }

  public long entries() {
    return entries;
  }

  public long bytes() {
    return bytes;
  }

  static WrittenEntries none() {
    return new WrittenEntries(0, 0);
  }

  /** What the newest commit of the metadata table wrote to a partition. */
  static WrittenEntries ofLastCommit(HoodieTableMetaClient dataMetaClient, String partition) {
    HoodieTableMetaClient metadata = metadataTable(dataMetaClient);
    return of(
        metadata,
        metadata.getActiveTimeline().getDeltaCommitTimeline().filterCompletedInstants(),
        partition);
  }

  /** What the commit of the metadata table at an instant wrote to a partition. */
  static WrittenEntries ofCommit(
      HoodieTableMetaClient dataMetaClient, String partition, String instant) {
    HoodieTableMetaClient metadata = metadataTable(dataMetaClient);
    return of(
        metadata,
        metadata
            .getActiveTimeline()
            .getDeltaCommitTimeline()
            .filterCompletedInstants()
            .filter(candidate -> candidate.requestedTime().equals(instant)),
        partition);
  }

  private static WrittenEntries of(
      HoodieTableMetaClient metadata, HoodieTimeline commits, String partition) {
    HoodieInstant last =
        commits
            .lastInstant()
            .orElseThrow(
                () ->
                    new IndexException(
                        "Cannot find the commit of the index entries below "
                            + metadata.getBasePath()));
    try {
      HoodieCommitMetadata commit = metadata.getActiveTimeline().readCommitMetadata(last);
      long entries = 0;
      long bytes = 0;
      for (HoodieWriteStat stat : commit.getWriteStats(partition)) {
        entries += stat.getNumWrites();
        bytes += stat.getTotalWriteBytes();
      }
      return new WrittenEntries(entries, bytes);
    } catch (IOException | HoodieException e) {
      throw new IndexException(
          "Cannot read commit " + last + " below " + metadata.getBasePath(), e);
    }
  }

  private static HoodieTableMetaClient metadataTable(HoodieTableMetaClient dataMetaClient) {
    return HoodieTableMetaClient.builder()
        .setConf(dataMetaClient.getStorageConf().newInstance())
        .setBasePath(
            HoodieTableMetadata.getMetadataTableBasePath(dataMetaClient.getBasePath().toString()))
        .build();
  }
}
