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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieFileFormat;
import org.apache.hudi.common.model.HoodieIndexDefinition;
import org.apache.hudi.common.model.HoodiePartitionMetadata;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.table.view.HoodieTableFileSystemView;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.exception.TableNotFoundException;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.apache.hudi.metadata.HoodieIndexVersion;
import org.apache.hudi.metadata.HoodieTableMetadata;
import org.apache.hudi.metadata.HoodieTableMetadataUtil;
import org.apache.hudi.metadata.MetadataPartitionType;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.HoodieStorageUtils;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.xtable.index.DamagedIndexException;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.IndexedColumn;

/**
 * The Hudi table of one data path: whether it exists, what it represents, how it is created and
 * dropped.
 */
final class IndexTable {
  static final HoodieTableVersion VERSION = HoodieTableVersion.NINE;

  private static final String INDEX_PARTITION_PREFIX = "secondary_index_";
  private static final String INDEX_TYPE = "secondary_index";
  private static final String METADATA_TABLE = "metadata";
  private static final String COMPLETED = "." + HoodieTimeline.COMMIT_ACTION;

  /** Our own folder in Hudi's: the lock, and one manifest a sync. */
  private static final String OWN_FOLDER = "xtable_index";

  private static final String MANIFEST = ".manifest";
  private static final String LOCK = "lock";

  /** Hudi's compaction, which comes after ten syncs, leaves no more than eleven together. */
  private static final int MAX_FILES_PER_GROUP = 16;

  /** So many are kept for readers that have just looked which sync was the last. */
  private static final int KEPT_MANIFESTS = 5;

  private final DataPath dataPath;
  private final StorageConfiguration<?> storageConf;

  IndexTable(DataPath dataPath, Configuration conf) {
    this.dataPath = dataPath;
    this.storageConf = new HadoopStorageConfiguration(conf);
  }

  DataPath dataPath() {
    return dataPath;
  }

  StorageConfiguration<?> storageConf() {
    return storageConf;
  }

  /** The Hudi table, or empty if there is none or its creation was cut short. */
  Optional<HoodieTableMetaClient> open() {
    try {
      return Optional.of(
          HoodieTableMetaClient.builder()
              .setConf(storageConf.newInstance())
              .setBasePath(dataPath.location())
              .setLoadActiveTimelineOnLoad(true)
              .build());
    } catch (TableNotFoundException e) {
      return Optional.empty();
    }
  }

  HoodieTableMetaClient create(String tableName, String avroSchema, IndexedColumn column) {
    try {
      HoodieTableMetaClient metaClient =
          HoodieTableMetaClient.newTableBuilder()
              .setTableType(HoodieTableType.COPY_ON_WRITE)
              .setTableVersion(VERSION)
              .setTableName(tableName)
              .setBaseFileFormat(HoodieFileFormat.PARQUET.name())
              .setPopulateMetaFields(false)
              .setKeyGeneratorType(KeyGeneratorType.NON_PARTITION_AVRO.name())
              .setTableCreateSchema(avroSchema)
              .initTable(storageConf.newInstance(), dataPath.location());
      metaClient.buildIndexDefinition(
          HoodieIndexDefinition.newBuilder()
              .withIndexName(indexPartition(column))
              .withIndexType(INDEX_TYPE)
              .withSourceFields(Collections.singletonList(column.name()))
              .withIndexOptions(Collections.emptyMap())
              .withVersion(HoodieIndexVersion.V2)
              .build());
      return HoodieTableMetaClient.reload(metaClient);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot create index below " + dataPath, e);
    }
  }

  /**
   * Removes the index but for the lock, which a sync holds while it does this.
   *
   * <p>In an order that is safe whenever it is cut short: without Hudi's properties the next sync
   * builds anew; then goes the timeline, the last instant last, so that readers find this index or
   * none; then what they would read.
   */
  void drop() {
    HoodieStorage storage = storage();
    try {
      storage.deleteFile(new StoragePath(folder(), HoodieTableConfig.HOODIE_PROPERTIES_FILE));
      List<StoragePathInfo> instants = new ArrayList<>(entries(storage, timeline()));
      instants.sort(Comparator.comparing(entry -> entry.getPath().getName()));
      for (StoragePathInfo instant : instants) {
        delete(storage, instant);
      }
      for (StoragePathInfo entry : entries(storage, folder())) {
        if (!entry.getPath().getName().equals(OWN_FOLDER)) {
          delete(storage, entry);
        }
      }
      for (StoragePathInfo entry : entries(storage, ownFolder())) {
        if (!entry.getPath().getName().equals(LOCK)) {
          delete(storage, entry);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete index " + folder(), e);
    }
  }

  private static List<StoragePathInfo> entries(HoodieStorage storage, StoragePath folder)
      throws IOException {
    try {
      return storage.listDirectEntries(folder);
    } catch (FileNotFoundException e) {
      return Collections.emptyList();
    }
  }

  private static void delete(HoodieStorage storage, StoragePathInfo entry) throws IOException {
    if (entry.isDirectory()) {
      storage.deleteDirectory(entry.getPath());
    } else {
      storage.deleteFile(entry.getPath());
    }
  }

  /** Keeps other syncs out until it is closed. */
  SyncLock lock() {
    return SyncLock.acquire(storage(), lockFile());
  }

  /**
   * @throws DamagedIndexException if a file that a manifest names is missing, or shorter than it
   *     was, if there are so many that compaction cannot have worked, or if Hudi's own files are
   *     gone
   */
  void requireIntact(IndexManifest manifest) {
    requireFewFiles(manifest);
    requireHudiTables();
    StoragePath folder = partitionFolder(manifest.partition());
    Map<String, Long> lengths;
    try {
      lengths =
          entries(storage(), folder).stream()
              .collect(
                  Collectors.toMap(entry -> entry.getPath().getName(), StoragePathInfo::getLength));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list index " + folder, e);
    }
    for (EntryRun run : manifest.runs()) {
      Long length = lengths.get(run.fileName());
      if (length == null) {
        throw new DamagedIndexException("file " + run.fileName() + " in " + folder + " is missing");
      }
      if (length < run.offset() + run.length()) {
        throw new DamagedIndexException(
            String.format(
                "file %s in %s has %d bytes, but %d were written",
                run.fileName(), folder, length, run.offset() + run.length()));
      }
    }
  }

  private void requireHudiTables() {
    StoragePath metadata = new StoragePath(folder(), METADATA_TABLE);
    StoragePath metadataFolder = new StoragePath(metadata, HoodieTableMetaClient.METAFOLDER_NAME);
    requireBytes(new StoragePath(folder(), HoodieTableConfig.HOODIE_PROPERTIES_FILE));
    requireBytes(new StoragePath(metadataFolder, HoodieTableConfig.HOODIE_PROPERTIES_FILE));
    requireEntries(new StoragePath(metadataFolder, HoodieTableMetaClient.TIMELINEFOLDER_NAME));
    requireEntries(new StoragePath(metadata, MetadataPartitionType.FILES.getPartitionPath()));
  }

  private void requireBytes(StoragePath file) {
    try {
      if (storage().getPathInfo(file).getLength() == 0) {
        throw new DamagedIndexException(file + " is empty");
      }
    } catch (FileNotFoundException e) {
      throw new DamagedIndexException(file + " is missing", e);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot look for " + file, e);
    }
  }

  private void requireEntries(StoragePath folder) {
    try {
      if (entries(storage(), folder).isEmpty()) {
        throw new DamagedIndexException("the folder " + folder + " is missing or empty");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list index " + folder, e);
    }
  }

  private void requireFewFiles(IndexManifest manifest) {
    Map<Integer, Long> filesOfGroups =
        manifest.runs().stream()
            .map(run -> Map.entry(run.fileGroup(), run.fileName()))
            .distinct()
            .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.counting()));
    filesOfGroups.forEach(
        (fileGroup, files) -> {
          if (files > MAX_FILES_PER_GROUP) {
            throw new DamagedIndexException(
                String.format(
                    "file group %d in %s has %d files: Hudi did not compact them",
                    fileGroup, partitionFolder(manifest.partition()), files));
          }
        });
  }

  /**
   * The instant of the last completed sync, or empty if none ever completed; {@code null} is never
   * given.
   *
   * <p>One listing of storage. Taken from the names alone: {@code <requested>_<completed>.commit}.
   */
  Optional<String> lastSync() {
    HoodieStorage storage = storage();
    try {
      return storage.listDirectEntries(timeline()).stream()
          .map(entry -> entry.getPath().getName())
          .filter(name -> name.endsWith(COMPLETED) && name.indexOf('_') > 0)
          .map(name -> name.substring(0, name.indexOf('_')))
          .max(Comparator.naturalOrder());
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new IndexException(
          "Cannot look for an index below " + dataPath + ": " + e.getMessage(), e);
    }
  }

  /**
   * @throws IndexException if there is none for that instant, or it is damaged
   */
  IndexManifest manifest(String instant) {
    StoragePath path = manifestPath(instant);
    try (InputStream in = storage().open(path)) {
      return IndexManifest.parse(in.readAllBytes(), path.toString());
    } catch (FileNotFoundException e) {
      throw new DamagedIndexException("Cannot read index: its manifest " + path + " is missing", e);
    } catch (IOException e) {
      throw new IndexException(
          "Cannot read index: cannot read its manifest " + path + ": " + e.getMessage(), e);
    }
  }

  /**
   * Writes the manifest of a sync that is about to complete, and deletes those of syncs long past.
   */
  void writeManifest(String instant, IndexManifest manifest) {
    HoodieStorage storage = storage();
    try {
      try (OutputStream out = storage.create(manifestPath(instant), true)) {
        out.write(manifest.toBytes());
      }
      List<StoragePath> old =
          entries(storage, ownFolder()).stream()
              .map(StoragePathInfo::getPath)
              .filter(path -> path.getName().endsWith(MANIFEST))
              .sorted(Comparator.comparing(StoragePath::getName).reversed())
              .skip(KEPT_MANIFESTS)
              .collect(Collectors.toList());
      for (StoragePath path : old) {
        storage.deleteFile(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write index manifest " + manifestPath(instant), e);
    }
  }

  private StoragePath manifestPath(String instant) {
    return new StoragePath(ownFolder(), instant + MANIFEST);
  }

  private StoragePath lockFile() {
    return new StoragePath(ownFolder(), LOCK);
  }

  private StoragePath ownFolder() {
    return new StoragePath(folder(), OWN_FOLDER);
  }

  private StoragePath timeline() {
    return new StoragePath(folder(), HoodieTableMetaClient.TIMELINEFOLDER_NAME);
  }

  private StoragePath folder() {
    return new StoragePath(dataPath.location(), DataPath.INDEX_FOLDER);
  }

  /**
   * Has Hudi see the index partition: what it compacts and cleans are folders with such a mark,
   * which its own writers make with their first file.
   */
  void markPartition(String partition, String instant) {
    StoragePath metadata = new StoragePath(folder(), METADATA_TABLE);
    new HoodiePartitionMetadata(
            storage(), instant, metadata, partitionFolder(partition), Option.empty())
        .trySave();
  }

  /** The folder of an index partition. */
  StoragePath partitionFolder(String partition) {
    return new StoragePath(new StoragePath(folder(), METADATA_TABLE), partition);
  }

  /**
   * @throws IndexException if Hadoop has no file system for the data path
   */
  HoodieStorage storage() {
    try {
      return HoodieStorageUtils.getStorage(folder(), storageConf);
    } catch (HoodieException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof UnsupportedFileSystemException) {
          throw noFileSystem(e);
        }
      }
      throw e;
    }
  }

  private IndexException noFileSystem(Exception cause) {
    String scheme = folder().toUri().getScheme();
    return new IndexException(
        String.format(
            "Cannot reach %s: Hadoop knows no file system for '%s'. Name its class in the setting"
                + " spark.hadoop.fs.%s.impl%s",
            folder(),
            scheme,
            scheme,
            scheme.equals("s3")
                ? ", as org.apache.hadoop.fs.s3a.S3AFileSystem of hadoop-aws, which reads s3:// like"
                    + " s3a://"
                : " and put it on the class path"),
        cause);
  }

  static StoragePath metadataPath(HoodieTableMetaClient metaClient) {
    return HoodieTableMetadata.getMetadataTableBasePath(metaClient.getBasePath());
  }

  static HoodieTableMetaClient metadataTable(HoodieTableMetaClient metaClient) {
    return HoodieTableMetaClient.builder()
        .setConf(metaClient.getStorageConf().newInstance())
        .setBasePath(metadataPath(metaClient).toString())
        .build();
  }

  /** The newest committed file slice of each file group, in the order of the file groups. */
  static List<FileSlice> fileSlices(HoodieTableMetaClient metadataTable, String partition) {
    try (HoodieTableFileSystemView view =
        HoodieTableMetadataUtil.getFileSystemViewForMetadataTable(metadataTable)) {
      return HoodieTableMetadataUtil.getPartitionLatestMergedFileSlices(
          metadataTable, view, partition);
    }
  }

  /**
   * The metadata table partition of a column's index. Chars that a folder name should not have are
   * written as their code in hex; the name is only a name, the column itself is in the synced
   * state.
   */
  static String indexPartition(IndexedColumn column) {
    StringBuilder name = new StringBuilder(INDEX_PARTITION_PREFIX);
    column
        .name()
        .codePoints()
        .forEach(
            c -> {
              boolean plain =
                  (c >= 'a' && c <= 'z')
                      || (c >= 'A' && c <= 'Z')
                      || (c >= '0' && c <= '9')
                      || c == '_';
              if (plain) {
                name.appendCodePoint(c);
              } else {
                name.append("_x").append(Integer.toHexString(c).toUpperCase(java.util.Locale.ROOT));
              }
            });
    return name.toString();
  }
}
