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
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.data.HoodieData;
import org.apache.hudi.common.engine.EngineType;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.model.HoodieReplaceCommitMetadata;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.common.table.timeline.HoodieActiveTimeline;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.ExternalFilePathUtil;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.config.HoodieArchivalConfig;
import org.apache.hudi.config.HoodieCleanConfig;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.data.HoodieJavaRDD;
import org.apache.hudi.metadata.HoodieMetadataPayload;
import org.apache.hudi.metadata.SecondaryIndexMetadataWriter;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.SyncedState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and changes the index of one data path. See the package documentation for what is
 * written, in which order.
 *
 * <p>Not thread-safe; one at a time may write to a data path.
 */
@SuppressWarnings("rawtypes") // Hudi passes HoodieRecord raw
public final class HudiIndexWriter {
  private static final Logger LOG = LoggerFactory.getLogger(HudiIndexWriter.class);

  private final HoodieSparkEngineContext engine;
  private final IndexTable table;
  private final HudiIndexOptions options;

  /**
   * Touches no storage.
   *
   * @param spark the context whose executors write the entries
   * @param dataPath where the index lives
   * @param options layout and parallelism
   */
  public HudiIndexWriter(JavaSparkContext spark, DataPath dataPath, HudiIndexOptions options) {
    this.engine = new HoodieSparkEngineContext(spark);
    this.table = new IndexTable(dataPath, spark.hadoopConfiguration());
    this.options = options;
  }

  /**
   * What the index represents, or empty if there is none or its first build never completed.
   *
   * @throws IndexException if there is one that cannot be read
   */
  public Optional<SyncedState> state() {
    return table.open().flatMap(IndexTable::state);
  }

  /**
   * The relative paths of the files that the index covers at its synced snapshot; empty without an
   * index.
   */
  public Set<String> coveredFiles() {
    return table.open().map(RegisteredFiles::live).orElseGet(HashSet::new);
  }

  /** Removes the index if there is one, complete or not. */
  public void drop() {
    table.drop();
  }

  /**
   * Builds the index from nothing, in place of whatever is there.
   *
   * @param tableName the Hudi table's name
   * @param avroSchema the table's schema, for readers of the Hudi table
   * @param column the column to index
   * @param files all covered files of the table
   * @param entries the entries of those files, in any order, without duplicates
   * @param stateOfEntries gives the state to commit for the number of entries written
   * @return what was written
   */
  public WrittenEntries build(
      String tableName,
      String avroSchema,
      IndexedColumn column,
      List<RegisteredFile> files,
      JavaRDD<IndexEntry> entries,
      LongFunction<SyncedState> stateOfEntries) {
    table.drop();
    HoodieTableMetaClient metaClient = table.create(tableName, avroSchema, column);
    String partition = IndexTable.indexPartition(column);
    long rows = files.stream().mapToLong(RegisteredFile::rows).sum();
    HoodieWriteConfig config = writeConfig(metaClient);
    try (SecondaryIndexMetadataWriter metadata = open(config)) {
      metadata.createIndex(partition, options.fileGroups(rows), records(entries, partition));
    } catch (Exception e) {
      throw failure("build", e);
    }
    WrittenEntries written = WrittenEntries.ofLastCommit(metaClient, partition);
    commit(
        metaClient,
        config,
        files,
        new ArrayList<>(),
        partition,
        null,
        ignored -> stateOfEntries.apply(written.entries()));
    return written;
  }

  /**
   * Adds and removes files of an index that {@link #state} says is there.
   *
   * <p>What an earlier sync left unfinished is undone first.
   *
   * @param column the indexed column
   * @param added covered files that the index does not cover yet
   * @param removed relative paths of covered files that the table no longer has
   * @param entries the entries of the added files, in any order, without duplicates
   * @param stateOfEntries gives the state to commit for the number of entries written
   * @return what was written
   */
  public WrittenEntries update(
      IndexedColumn column,
      List<RegisteredFile> added,
      Collection<String> removed,
      JavaRDD<IndexEntry> entries,
      LongFunction<SyncedState> stateOfEntries) {
    HoodieTableMetaClient metaClient =
        table
            .open()
            .orElseThrow(
                () ->
                    new IndexException(
                        "Cannot update index: there is none below " + table.dataPath()));
    String partition = IndexTable.indexPartition(column);
    HoodieWriteConfig config = writeConfig(metaClient);
    undoUnfinished(metaClient, config);
    return commit(
        metaClient,
        config,
        added,
        removed,
        partition,
        added.isEmpty() ? null : records(entries, partition),
        stateOfEntries);
  }

  private WrittenEntries commit(
      HoodieTableMetaClient metaClient,
      HoodieWriteConfig config,
      List<RegisteredFile> added,
      Collection<String> removed,
      String partition,
      HoodieData<HoodieRecord> records,
      LongFunction<SyncedState> stateOfEntries) {
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    String instant = metaClient.createNewInstantTime(false);
    HoodieInstant requested =
        timeline.createRequestedCommitWithReplaceMetadata(
            instant, HoodieTimeline.REPLACE_COMMIT_ACTION);
    HoodieInstant inflight =
        timeline.transitionReplaceRequestedToInflight(requested, Option.empty());
    HoodieReplaceCommitMetadata dataCommit = dataCommit(metaClient, instant, added, removed);
    try (SecondaryIndexMetadataWriter metadata = open(config)) {
      metadata.commit(instant, dataCommit, partition, records);
      WrittenEntries written =
          records == null
              ? WrittenEntries.none()
              : WrittenEntries.ofCommit(metaClient, partition, instant);
      stateOfEntries.apply(written.entries()).toProperties().forEach(dataCommit::addMetadata);
      timeline.saveAsComplete(inflight, Option.of(dataCommit));
      metadata.runTableServices();
      return written;
    } catch (Exception e) {
      throw failure("update", e);
    }
  }

  private HoodieReplaceCommitMetadata dataCommit(
      HoodieTableMetaClient metaClient,
      String instant,
      List<RegisteredFile> added,
      Collection<String> removed) {
    HoodieReplaceCommitMetadata commit = new HoodieReplaceCommitMetadata();
    commit.setOperationType(WriteOperationType.INSERT_OVERWRITE);
    commit.addMetadata(
        HoodieCommitMetadata.SCHEMA_KEY,
        metaClient.getTableConfig().getTableCreateSchema().map(Object::toString).orElse(""));
    for (RegisteredFile file : added) {
      HoodieWriteStat stat = new HoodieWriteStat();
      stat.setFileId(file.name());
      stat.setPartitionPath(file.partition());
      stat.setPath(
          ExternalFilePathUtil.appendCommitTimeAndExternalFileMarker(file.relativePath(), instant));
      stat.setPrevCommit(HoodieWriteStat.NULL_COMMIT);
      stat.setNumWrites(file.rows());
      stat.setNumInserts(file.rows());
      stat.setTotalWriteBytes(file.bytes());
      stat.setFileSizeInBytes(file.bytes());
      commit.addWriteStat(file.partition(), stat);
    }
    Map<String, List<String>> replaced = new HashMap<>();
    for (String path : removed) {
      RegisteredFile file = new RegisteredFile(path, 0, 0);
      replaced.computeIfAbsent(file.partition(), ignored -> new ArrayList<>()).add(file.name());
    }
    commit.setPartitionToReplaceFileIds(replaced);
    return commit;
  }

  /**
   * Undoes what a killed sync left: its metadata commit first, then its pending instant. Hudi's own
   * rollback of the data table is never used, since it may delete data files.
   */
  private void undoUnfinished(HoodieTableMetaClient metaClient, HoodieWriteConfig config) {
    List<HoodieInstant> pending =
        metaClient.reloadActiveTimeline().filterInflightsAndRequested().getInstants();
    if (pending.isEmpty()) {
      return;
    }
    Set<String> instants =
        pending.stream().map(HoodieInstant::requestedTime).collect(Collectors.toSet());
    LOG.info("Undoing what an unfinished sync left below {}: {}", table.dataPath(), instants);
    try (SecondaryIndexMetadataWriter metadata = open(config)) {
      instants.forEach(metadata::rollback);
    } catch (Exception e) {
      throw failure("recover", e);
    }
    HoodieActiveTimeline timeline = metaClient.getActiveTimeline();
    pending.stream().filter(HoodieInstant::isInflight).forEach(timeline::deleteInstantFileIfExists);
    for (String instant : instants) {
      timeline.deleteInstantFileIfExists(
          metaClient.createNewInstant(
              HoodieInstant.State.REQUESTED, HoodieTimeline.REPLACE_COMMIT_ACTION, instant));
    }
  }

  private SecondaryIndexMetadataWriter open(HoodieWriteConfig config) {
    return new SecondaryIndexMetadataWriter(table.storageConf(), config, engine);
  }

  private HoodieData<HoodieRecord> records(JavaRDD<IndexEntry> entries, String partition) {
    return HoodieJavaRDD.of(
        entries.map(
            entry ->
                HoodieMetadataPayload.createSecondaryIndexRecord(
                    entry.recordKey(), entry.encodedKey(), partition, false)));
  }

  private HoodieWriteConfig writeConfig(HoodieTableMetaClient metaClient) {
    return HoodieWriteConfig.newBuilder()
        .withEngineType(EngineType.SPARK)
        .withPath(table.dataPath().location())
        .forTable(metaClient.getTableConfig().getTableName())
        .withWriteTableVersion(HoodieTableVersion.NINE.versionCode())
        .withAutoUpgradeVersion(false)
        .withEmbeddedTimelineServerEnabled(false)
        .withRollbackUsingMarkers(false)
        .withCleanConfig(HoodieCleanConfig.newBuilder().withAutoClean(false).build())
        .withArchivalConfig(HoodieArchivalConfig.newBuilder().withAutoArchive(false).build())
        .withMetadataConfig(
            HoodieMetadataConfig.newBuilder()
                .enable(true)
                .withStreamingWriteEnabled(false)
                .withMetadataIndexColumnStats(false)
                .withMetadataIndexBloomFilter(false)
                .withExpressionIndexEnabled(false)
                .withSecondaryIndexEnabled(false)
                .withEnableGlobalRecordLevelIndex(false)
                .withEnableRecordLevelIndex(false)
                .withSecondaryIndexParallelism(options.parallelism())
                .setFailOnTableServiceFailures(false)
                .build())
        .build();
  }

  private IndexException failure(String step, Exception e) {
    String message =
        String.format("Cannot %s index below %s: %s", step, table.dataPath(), e.getMessage());
    if (e instanceof IOException) {
      return new IndexException(message, new UncheckedIOException((IOException) e));
    }
    return new IndexException(message, e);
  }
}
