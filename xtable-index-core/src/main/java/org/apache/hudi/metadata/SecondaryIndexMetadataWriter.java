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
import java.util.List;
import java.util.function.Function;
import org.apache.hudi.client.BaseHoodieWriteClient;
import org.apache.hudi.client.WriteStatus;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.config.HoodieStorageConfig;
import org.apache.hudi.common.model.HoodieFailedWritesCleaningPolicy;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.common.util.collection.Pair;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.table.BulkInsertPartitioner;
import org.apache.spark.api.java.JavaRDD;

/**
 * Writes a metadata table that has two partitions: {@code files} and one secondary index whose
 * records the caller makes.
 *
 * <p>Opening one creates the metadata table with an empty {@code files} partition if there is none.
 * Not thread-safe.
 */
@SuppressWarnings("rawtypes") // Hudi passes HoodieRecord raw
public final class SecondaryIndexMetadataWriter extends SparkHoodieBackedTableMetadataWriter {
  /** Writes the index entries of the commit that is being made; null while there is none. */
  private transient Function<String, List<HoodieWriteStat>> entries;

  /** What merges file groups in the compaction that runs; null while there is none. */
  private transient FileGroupMerge merge;

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
   * Hudi's constructor calls it when it has made the configuration of the metadata table, which has
   * blocks of 1 MiB whatever that of the data table says; compaction would write such.
   */
  @Override
  protected void initRegistry() {
    super.initRegistry();
    metadataWriteConfig.setValue(
        HoodieStorageConfig.HFILE_BLOCK_SIZE,
        dataWriteConfig.getString(HoodieStorageConfig.HFILE_BLOCK_SIZE));
  }

  /**
   * Creates the index partition with its first entries, replacing what is there.
   *
   * <p>The entries are committed at an instant of the metadata table's own, which is valid for
   * readers at once.
   *
   * @param writeEntries writes the entries at the instant that it is given, and tells the files
   */
  public void createIndex(
      String indexPartition, int fileGroups, Function<String, List<HoodieWriteStat>> writeEntries)
      throws IOException {
    this.entries = writeEntries;
    initializeFilegroupsAndCommit(
        MetadataPartitionType.SECONDARY_INDEX,
        indexPartition,
        Pair.of(fileGroups, engineContext.emptyHoodieData()),
        generateUniqueInstantTime(HoodieTableMetadata.SOLO_COMMIT_TIMESTAMP));
    this.entries = null;
  }

  /**
   * Commits a change of the file listing and new index entries at a data commit's instant. Readers
   * ignore them until that instant completes on the data table's timeline.
   *
   * @param listing records of the listing's partition
   * @param writeEntries writes the entries at the instant that it is given, and tells the files
   */
  public void commit(
      String instant,
      List<HoodieRecord<HoodieMetadataPayload>> listing,
      Function<String, List<HoodieWriteStat>> writeEntries) {
    this.entries = writeEntries;
    commit(
        instant,
        Collections.singletonMap(
            MetadataPartitionType.FILES.getPartitionPath(),
            engineContext.parallelize(new ArrayList<HoodieRecord>(listing), 1)));
    this.entries = null;
  }

  /** While the index partition is created, the files of the caller are what is inserted. */
  @Override
  protected void bulkInsertAndCommit(
      BaseHoodieWriteClient<?, JavaRDD<HoodieRecord>, ?, JavaRDD<WriteStatus>> writeClient,
      String instant,
      JavaRDD<HoodieRecord> records,
      Option<BulkInsertPartitioner> partitioner) {
    if (entries == null) {
      super.bulkInsertAndCommit(writeClient, instant, records, partitioner);
    } else {
      metadataMetaClient
          .reloadActiveTimeline()
          .transitionRequestedToInflight(HoodieTimeline.DELTA_COMMIT_ACTION, instant);
      commitStats(writeClient, instant, entries.apply(instant));
    }
  }

  @Override
  protected void upsertAndCommit(
      BaseHoodieWriteClient<?, JavaRDD<HoodieRecord>, ?, JavaRDD<WriteStatus>> writeClient,
      String instant,
      JavaRDD<HoodieRecord> records) {
    List<HoodieWriteStat> stats =
        new ArrayList<>(
            writeClient.upsertPreppedRecords(records, instant).map(WriteStatus::getStat).collect());
    stats.addAll(entries.apply(instant));
    commitStats(writeClient, instant, stats);
  }

  private static void commitStats(
      BaseHoodieWriteClient<?, JavaRDD<HoodieRecord>, ?, JavaRDD<WriteStatus>> writeClient,
      String instant,
      List<HoodieWriteStat> stats) {
    writeClient.commitStats(
        instant,
        stats,
        Option.empty(),
        HoodieTimeline.DELTA_COMMIT_ACTION,
        Collections.emptyMap(),
        Option.empty());
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

  /** Hudi's constructor may call it already. */
  @Override
  @SuppressWarnings("unchecked")
  public BaseHoodieWriteClient<?, JavaRDD<HoodieRecord>, ?, JavaRDD<WriteStatus>>
      initializeWriteClient() {
    return new MergingWriteClient(engineContext, metadataWriteConfig, () -> merge);
  }

  /**
   * Compacts, cleans and archives the metadata table where that is due.
   *
   * @param fileGroupMerge merges the file groups that it can in place of Hudi's compactor
   */
  public void runTableServices(FileGroupMerge fileGroupMerge) {
    this.merge = fileGroupMerge;
    performTableServices(Option.empty(), true);
    this.merge = null;
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
