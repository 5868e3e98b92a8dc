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
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.engine.EngineType;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.model.HoodieReplaceCommitMetadata;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieActiveTimeline;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.config.HoodieArchivalConfig;
import org.apache.hudi.config.HoodieCleanConfig;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.metadata.SecondaryIndexMetadataWriter;
import org.apache.hudi.storage.StoragePath;
import org.apache.iceberg.Schema;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.xtable.index.DamagedIndexException;
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
public final class HudiIndexWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HudiIndexWriter.class);

  private final HoodieSparkEngineContext engine;
  private final IndexTable table;
  private final HudiIndexOptions options;
  private SyncLock lock;

  /**
   * Touches no storage.
   *
   * @param spark the context whose executors write the entries
   * @param conf the configuration of the file system that holds the data path
   * @param dataPath where the index lives
   * @param options layout and parallelism
   */
  public HudiIndexWriter(
      JavaSparkContext spark, Configuration conf, DataPath dataPath, HudiIndexOptions options) {
    this.engine = new HoodieSparkEngineContext(spark);
    this.table = new IndexTable(dataPath, conf);
    this.options = options;
  }

  /**
   * What the index represents, or empty if there is none or its first build never completed.
   *
   * @throws IndexException if there is one that cannot be read
   */
  public Optional<SyncedState> state() {
    return table.lastSync().map(table::manifest).map(IndexManifest::state);
  }

  /**
   * The relative paths of the files that the index covers at its synced snapshot; empty without an
   * index.
   */
  public Set<String> coveredFiles() {
    return table.open().map(RegisteredFiles::live).orElseGet(HashSet::new);
  }

  /**
   * Keeps other syncs out until {@link #close}. {@link #build} and {@link #update} want it.
   *
   * @throws IndexException if another sync is writing the index
   */
  public void lock() {
    this.lock = table.lock();
  }

  /**
   * @throws DamagedIndexException if a file that the last sync left is missing or too short
   */
  public void requireIntact() {
    table.lastSync().map(table::manifest).ifPresent(table::requireIntact);
  }

  /**
   * Builds the index from nothing, in place of whatever is there.
   *
   * @param tableName the Hudi table's name
   * @param schema the table's schema, for readers of the Hudi table
   * @param column the column to index
   * @param files all covered files of the table
   * @param entries the entries of those files
   * @param stateOfEntries gives the state to commit for the number of entries written
   * @return what was written
   */
  public WrittenEntries build(
      String tableName,
      Schema schema,
      IndexedColumn column,
      List<RegisteredFile> files,
      EntrySource entries,
      LongFunction<SyncedState> stateOfEntries) {
    requireLock();
    table.drop();
    HoodieTableMetaClient metaClient =
        table.create(tableName, AvroTableSchema.of(schema).toString(), column);
    String partition = IndexTable.indexPartition(column);
    int fileGroups = options.fileGroups(files.stream().mapToLong(RegisteredFile::rows).sum());
    WrittenEntries written = new WrittenEntries();
    try (SecondaryIndexMetadataWriter metadata = open(metaClient)) {
      metadata.createIndex(
          partition,
          fileGroups,
          instant ->
              written.write(entries, sink(metaClient, partition, instant, fileGroups, true)));
      commit(
          metaClient,
          metadata,
          dataCommit(metaClient, files, Collections.emptySet()),
          instant -> Collections.emptyList(),
          () ->
              new IndexManifest(
                  UUID.randomUUID().toString(),
                  partition,
                  fileGroups,
                  stateOfEntries.apply(written.entries()),
                  written.runs()));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot build index below " + table.dataPath(), e);
    }
    return written;
  }

  /**
   * Adds and removes files of an index that {@link #state} says is there.
   *
   * <p>What an earlier sync left unfinished is undone first.
   *
   * @param added covered files that the index does not cover yet
   * @param removed relative paths of covered files that the table no longer has
   * @param entries the entries of the added files
   * @param stateOfEntries gives the state to commit for the number of entries written
   * @return what was written
   */
  public WrittenEntries update(
      List<RegisteredFile> added,
      Collection<String> removed,
      EntrySource entries,
      LongFunction<SyncedState> stateOfEntries) {
    requireLock();
    HoodieTableMetaClient metaClient = table.open().orElseThrow(this::noIndex);
    IndexManifest before = table.lastSync().map(table::manifest).orElseThrow(this::noIndex);
    WrittenEntries written = new WrittenEntries();
    try (SecondaryIndexMetadataWriter metadata = open(metaClient)) {
      undoUnfinished(metaClient, metadata);
      // Before the commit, not after it, so that the manifest stays true until the next sync.
      metadata.runTableServices();
      List<EntryRun> runs = runs(metaClient, before);
      commit(
          metaClient,
          metadata,
          dataCommit(metaClient, added, removed),
          instant ->
              added.isEmpty()
                  ? Collections.emptyList()
                  : written.write(
                      entries,
                      sink(metaClient, before.partition(), instant, before.fileGroups(), false)),
          () -> {
            runs.addAll(written.runs());
            return new IndexManifest(
                before.buildId(),
                before.partition(),
                before.fileGroups(),
                stateOfEntries.apply(written.entries()),
                runs);
          });
    } catch (HoodieException e) {
      throw new IndexException(
          String.format(
              "Cannot update index below %s: %s. If that lasts, delete the folder %s there and sync again",
              table.dataPath(), e.getMessage(), DataPath.INDEX_FOLDER),
          e);
    }
    return written;
  }

  private void requireLock() {
    if (lock == null) {
      throw new IllegalStateException(
          "Cannot write index below " + table.dataPath() + ": lock() first");
    }
    lock.requireHeld();
  }

  /** Lets other syncs in again. */
  @Override
  public void close() {
    if (lock != null) {
      lock.close();
      lock = null;
    }
  }

  private IndexException noIndex() {
    return new IndexException("Cannot update index: there is none below " + table.dataPath());
  }

  private void commit(
      HoodieTableMetaClient metaClient,
      SecondaryIndexMetadataWriter metadata,
      DataCommit dataCommit,
      Function<String, List<HoodieWriteStat>> writeEntries,
      Supplier<IndexManifest> manifestOfWritten) {
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    String instant = metaClient.createNewInstantTime(false);
    HoodieInstant inflight =
        timeline.transitionReplaceRequestedToInflight(
            timeline.createRequestedCommitWithReplaceMetadata(
                instant, HoodieTimeline.REPLACE_COMMIT_ACTION),
            Option.empty());
    HoodieReplaceCommitMetadata commit = dataCommit.at(instant);
    metadata.commit(instant, commit, writeEntries);
    IndexManifest manifest = manifestOfWritten.get();
    table.writeManifest(instant, manifest);
    manifest.state().toProperties().forEach(commit::addMetadata);
    requireLock();
    timeline.saveAsComplete(inflight, Option.of(commit));
  }

  /** The runs of entries as Hudi's compaction left them. */
  private List<EntryRun> runs(HoodieTableMetaClient metaClient, IndexManifest before) {
    Map<String, List<EntryRun>> known =
        before.runs().stream().collect(Collectors.groupingBy(EntryRun::fileName));
    StoragePath folder = table.partitionFolder(before.partition());
    List<FileSlice> slices =
        IndexTable.fileSlices(IndexTable.metadataTable(metaClient), before.partition());
    List<EntryRun> runs = new ArrayList<>();
    for (int fileGroup = 0; fileGroup < slices.size(); fileGroup++) {
      FileSlice slice = slices.get(fileGroup);
      if (slice.getBaseFile().isPresent()) {
        HoodieBaseFile base = slice.getBaseFile().get();
        runs.add(new EntryRun(fileGroup, base.getFileName(), 0, base.getFileSize()));
      }
      for (HoodieLogFile log : slice.getLogFiles().collect(Collectors.toList())) {
        runs.addAll(
            known.containsKey(log.getFileName())
                ? known.get(log.getFileName())
                : LogRuns.of(
                    table.storage(), new StoragePath(folder, log.getFileName()), fileGroup));
      }
    }
    return runs;
  }

  private static DataCommit dataCommit(
      HoodieTableMetaClient metaClient, List<RegisteredFile> added, Collection<String> removed) {
    return new DataCommit(metaClient.getTableConfig(), added, removed);
  }

  private EntrySink sink(
      HoodieTableMetaClient metaClient,
      String partition,
      String instant,
      int fileGroups,
      boolean asBaseFiles) {
    return new EntrySink(
        table.storageConf(),
        IndexTable.metadataPath(metaClient),
        partition,
        instant,
        fileGroups,
        asBaseFiles);
  }

  /**
   * Undoes what a killed sync left: its metadata commit first, then its pending instant. Hudi's own
   * rollback of the data table is never used, since it may delete data files.
   */
  private void undoUnfinished(
      HoodieTableMetaClient metaClient, SecondaryIndexMetadataWriter metadata) {
    List<HoodieInstant> pending =
        metaClient.reloadActiveTimeline().filterInflightsAndRequested().getInstants();
    if (pending.isEmpty()) {
      return;
    }
    Set<String> instants =
        pending.stream().map(HoodieInstant::requestedTime).collect(Collectors.toSet());
    LOG.info("Undoing what an unfinished sync left below {}: {}", table.dataPath(), instants);
    instants.forEach(metadata::rollback);
    HoodieActiveTimeline timeline = metaClient.getActiveTimeline();
    pending.stream().filter(HoodieInstant::isInflight).forEach(timeline::deleteInstantFileIfExists);
    for (String instant : instants) {
      timeline.deleteInstantFileIfExists(
          metaClient.createNewInstant(
              HoodieInstant.State.REQUESTED, HoodieTimeline.REPLACE_COMMIT_ACTION, instant));
    }
  }

  private SecondaryIndexMetadataWriter open(HoodieTableMetaClient metaClient) {
    return new SecondaryIndexMetadataWriter(table.storageConf(), writeConfig(metaClient), engine);
  }

  private HoodieWriteConfig writeConfig(HoodieTableMetaClient metaClient) {
    return HoodieWriteConfig.newBuilder()
        .withEngineType(EngineType.SPARK)
        .withPath(table.dataPath().location())
        .forTable(metaClient.getTableConfig().getTableName())
        .withWriteTableVersion(IndexTable.VERSION.versionCode())
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
}
