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
package org.apache.hudi.metadata;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.data.HoodieData;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieFailedWritesCleaningPolicy;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.common.util.collection.Pair;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.storage.StorageConfiguration;

/**
 * Writes a metadata table that has two partitions: {@code files} and one secondary index whose
 * records the caller makes.
 *
 * <p>Opening one creates the metadata table with an empty {@code files} partition if there is none.
 * Not thread-safe.
 */
@SuppressWarnings("rawtypes") // Hudi passes HoodieRecord raw
public final class SecondaryIndexMetadataWriter extends SparkHoodieBackedTableMetadataWriter {

  public SecondaryIndexMetadataWriter(
      StorageConfiguration<?> storageConf,
      HoodieWriteConfig dataWriteConfig,
      HoodieSparkEngineContext engineContext) {
    super(
        storageConf,
        dataWriteConfig,
        HoodieFailedWritesCleaningPolicy.EAGER,
        engineContext,
        Option.empty());
    if (!initialized) {
      // Hudi's constructor logs the cause and carries on without a metadata table.
      throw new IllegalStateException(
          "Cannot open Hudi metadata table below "
              + dataWriteConfig.getBasePath()
              + ": its initialization failed, see the log above");
    }
  }

  /**
   * Hudi 1.2.0 would build the secondary index itself, from the registered files, as soon as one
   * index definition exists, even with {@code withSecondaryIndexEnabled(false)}.
   */
  @Override
  List<MetadataPartitionType> getEnabledPartitions(
      HoodieMetadataConfig metadataConfig, HoodieTableMetaClient metaClient) {
    return new ArrayList<>(Collections.singletonList(MetadataPartitionType.FILES));
  }

  /**
   * Creates the index partition with its first records, replacing what is there.
   *
   * <p>The records are committed at an instant of the metadata table's own, which is valid for
   * readers at once.
   */
  public void createIndex(String indexPartition, int fileGroups, HoodieData<HoodieRecord> records)
      throws IOException {
    initializeFilegroupsAndCommit(
        MetadataPartitionType.SECONDARY_INDEX,
        indexPartition,
        Pair.of(fileGroups, records),
        generateUniqueInstantTime(HoodieTableMetadata.SOLO_COMMIT_TIMESTAMP));
  }

  /**
   * Commits the file listing of a data commit and new index records at the data commit's instant.
   * Readers ignore them until that instant completes on the data table's timeline.
   */
  public void commit(
      String instant,
      HoodieCommitMetadata dataCommit,
      String indexPartition,
      HoodieData<HoodieRecord> indexRecords) {
    Map<String, HoodieData<HoodieRecord>> records = new LinkedHashMap<>();
    records.put(
        MetadataPartitionType.FILES.getPartitionPath(),
        engineContext.parallelize(
            HoodieTableMetadataUtil.convertMetadataToFilesPartitionRecords(dataCommit, instant),
            1));
    if (indexRecords != null) {
      records.put(indexPartition, indexRecords);
    }
    commit(instant, records);
  }

  /** Undoes a commit, whatever state it is in; nothing happens if there is none at that instant. */
  @SuppressWarnings("deprecation") // Hudi's own metadata writer calls it, and there is no other
  public void rollback(String instant) {
    if (metadataMetaClient
        .getActiveTimeline()
        .getInstantsAsStream()
        .anyMatch(candidate -> candidate.requestedTime().equals(instant))) {
      getWriteClient().rollback(instant);
      metadataMetaClient.reloadActiveTimeline();
    }
  }

  /** Compacts, cleans and archives the metadata table where that is due. */
  public void runTableServices() {
    performTableServices(Option.empty(), true);
  }

  @Override
  public void close() {
    try {
      super.close();
    } catch (Exception e) {
      throw new HoodieException("Cannot close Hudi metadata writer", e);
    }
  }
}
