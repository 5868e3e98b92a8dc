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
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.config.HoodieStorageConfig;
import org.apache.hudi.common.engine.EngineType;
import org.apache.hudi.common.model.HoodieCleaningPolicy;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.config.HoodieArchivalConfig;
import org.apache.hudi.config.HoodieCleanConfig;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.metadata.SecondaryIndexMetadataWriter;
import org.apache.iceberg.Schema;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.xtable.index.DamagedIndexException;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.StoredIndex;
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
   * @param options layout
   */
  public HudiIndexWriter(
      JavaSparkContext spark, Configuration conf, DataPath dataPath, HudiIndexOptions options) {
    this.engine = new HoodieSparkEngineContext(spark);
    this.table = new IndexTable(dataPath, conf);
    this.options = options;
  }

  /**
   * The index as it is now.
   *
   * @throws DamagedIndexException if there is one that cannot be read, or of which files are
   *     missing
   */
  public StoredIndex stored() {
    Optional<IndexManifest> manifest = table.lastSync().map(table::manifest);
    manifest.ifPresent(table::requireIntact);
    return new Stored(manifest);
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
      DataTimeline timeline = new DataTimeline(metaClient);
      HoodieInstant inflight = timeline.begin();
      String instant = inflight.requestedTime();
      table.markPartition(partition, instant);
      DataCommit commit =
          new DataCommit(metaClient.getTableConfig(), files, Collections.emptySet());
      metadata.commit(instant, commit.listing(instant), ignored -> Collections.emptyList());
      complete(
          timeline,
          inflight,
          commit,
          new IndexManifest(
              UUID.randomUUID().toString(),
              instant,
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
   * Adds and removes files of an index that {@link #stored} has found.
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
    try {
      return updateIntact(added, removed, entries, stateOfEntries);
    } catch (IndexException e) {
      throw e;
    } catch (RuntimeException e) {
      requireReadable();
      throw new IndexException(
          String.format(
              "Cannot update index below %s: %s. If that lasts, delete the folder %s there and sync again",
              table.dataPath(), e.getMessage(), DataPath.INDEX_FOLDER),
          e);
    }
  }

  private WrittenEntries updateIntact(
      List<RegisteredFile> added,
      Collection<String> removed,
      EntrySource entries,
      LongFunction<SyncedState> stateOfEntries) {
    HoodieTableMetaClient metaClient = table.open().orElseThrow(this::noIndex);
    String last = table.lastSync().orElseThrow(this::noIndex);
    IndexManifest before = table.manifest(last);
    DataTimeline timeline = new DataTimeline(metaClient);
    WrittenEntries written = new WrittenEntries();
    try (SecondaryIndexMetadataWriter metadata = open(metaClient)) {
      Set<String> unfinished = timeline.removePendingAfter(last, metadata::rollback);
      if (!unfinished.isEmpty()) {
        LOG.info("Undid what syncs left unfinished below {}: {}", table.dataPath(), unfinished);
      }
      table.markPartition(before.partition(), before.buildInstant());
      // Before the commit, not after it, so that the manifest stays true until the next sync.
      metadata.runTableServices(
          new RunMerge(table.storageConf(), table.partitionFolder(before.partition()), before));
      archive(timeline, metaClient);
      List<EntryRun> runs = new CurrentRuns(table, metaClient, before).get();
      HoodieInstant inflight = timeline.begin();
      DataCommit commit = new DataCommit(metaClient.getTableConfig(), added, removed);
      metadata.commit(
          inflight.requestedTime(),
          commit.listing(before.buildInstant()),
          instant ->
              added.isEmpty()
                  ? Collections.emptyList()
                  : written.write(
                      entries,
                      sink(metaClient, before.partition(), instant, before.fileGroups(), false)));
      runs.addAll(written.runs());
      complete(
          timeline, inflight, commit, before.next(stateOfEntries.apply(written.entries()), runs));
    }
    return written;
  }

  private void archive(DataTimeline timeline, HoodieTableMetaClient metaClient) {
    try {
      timeline.archive(writeConfig(metaClient), engine);
    } catch (HoodieException e) {
      LOG.warn(
          "Cannot archive old commits below {}; the next sync tries again", table.dataPath(), e);
    }
  }

  /**
   * @throws DamagedIndexException if Hudi cannot read what the next sync needs
   */
  private void requireReadable() {
    try {
      HoodieTableMetaClient metaClient = table.open().orElseThrow(this::noIndex);
      RegisteredFiles.live(metaClient);
      IndexTable.fileSlices(
          IndexTable.metadataTable(metaClient),
          table.lastSync().map(table::manifest).orElseThrow(this::noIndex).partition());
    } catch (IndexException e) {
      throw e;
    } catch (RuntimeException e) {
      throw HudiFailure.of("Cannot read index below " + table.dataPath(), e);
    }
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

  private DamagedIndexException noIndex() {
    return new DamagedIndexException("there is no Hudi table below " + table.dataPath());
  }

  /** Readers see the new state from here on. */
  private void complete(
      DataTimeline timeline,
      HoodieInstant inflight,
      DataCommit dataCommit,
      IndexManifest manifest) {
    table.writeManifest(inflight.requestedTime(), manifest);
    HoodieCommitMetadata commit = dataCommit.metadata(manifest.buildInstant());
    manifest.state().toProperties().forEach(commit::addMetadata);
    requireLock();
    timeline.complete(inflight, commit);
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

  SecondaryIndexMetadataWriter open(HoodieTableMetaClient metaClient) {
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
        // Of the metadata table, which takes its policy from here, two versions of each file group.
        .withCleanConfig(
            HoodieCleanConfig.newBuilder()
                .withAutoClean(false)
                .withCleanerPolicy(HoodieCleaningPolicy.KEEP_LATEST_FILE_VERSIONS)
                .retainFileVersions(1)
                .build())
        .withStorageConfig(
            HoodieStorageConfig.newBuilder().hfileBlockSize(EntryValue.BLOCK_BYTES).build())
        .withArchivalConfig(HoodieArchivalConfig.newBuilder().withAutoArchive(false).build())
        .withMetadataConfig(
            HoodieMetadataConfig.newBuilder()
                .enable(true)
                .withStreamingWriteEnabled(false)
                .withMetadataIndexColumnStats(false)
                .withMetadataIndexBloomFilter(false)
                .withExpressionIndexEnabled(false)
                .withSecondaryIndexEnabled(false)
                .setFailOnTableServiceFailures(false)
                .build())
        .build();
  }

  private final class Stored implements StoredIndex {
    private final Optional<IndexManifest> manifest;

    Stored(Optional<IndexManifest> manifest) {
      this.manifest = manifest;
    }

    @Override
    public Optional<SyncedState> state() {
      return manifest.map(IndexManifest::state);
    }

    @Override
    public Set<String> coveredFiles() {
      return manifest.isEmpty()
          ? Collections.emptySet()
          : RegisteredFiles.live(table.open().orElseThrow(HudiIndexWriter.this::noIndex));
    }

    @Override
    public boolean isOutgrownBy(long rows) {
      return manifest.isPresent() && options.isOutgrown(manifest.get().fileGroups(), rows);
    }
  }
}
