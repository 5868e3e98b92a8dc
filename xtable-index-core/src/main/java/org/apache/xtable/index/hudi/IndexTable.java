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
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieFileFormat;
import org.apache.hudi.common.model.HoodieIndexDefinition;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.table.view.HoodieTableFileSystemView;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.exception.TableNotFoundException;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.apache.hudi.metadata.HoodieIndexVersion;
import org.apache.hudi.metadata.HoodieTableMetadata;
import org.apache.hudi.metadata.HoodieTableMetadataUtil;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.HoodieStorageUtils;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.SyncedState;

/**
 * The Hudi table of one data path: whether it exists, what it represents, how it is created and
 * dropped.
 */
final class IndexTable {
  static final HoodieTableVersion VERSION = HoodieTableVersion.NINE;

  private static final String INDEX_PARTITION_PREFIX = "secondary_index_";
  private static final String INDEX_TYPE = "secondary_index";

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
   * Removes the index, its timeline first: readers find no index from then on, whenever this is cut
   * short.
   */
  void drop() {
    HoodieStorage storage = HoodieStorageUtils.getStorage(folder(), storageConf);
    try {
      storage.deleteDirectory(new StoragePath(folder(), HoodieTableMetaClient.TIMELINEFOLDER_NAME));
      storage.deleteDirectory(folder());
    } catch (FileNotFoundException e) {
      // Nothing to drop.
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete index " + folder(), e);
    }
  }

  boolean exists() {
    try {
      return HoodieStorageUtils.getStorage(folder(), storageConf).exists(folder());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot look for an index at " + folder(), e);
    }
  }

  private StoragePath folder() {
    return new StoragePath(dataPath.location(), DataPath.INDEX_FOLDER);
  }

  /** What the last completed sync wrote, or empty if none ever completed. */
  static Optional<SyncedState> state(HoodieTableMetaClient metaClient) {
    Option<HoodieInstant> last = lastSync(metaClient.getActiveTimeline());
    return last.isPresent() ? Optional.of(state(metaClient, last.get())) : Optional.empty();
  }

  static Option<HoodieInstant> lastSync(HoodieTimeline timeline) {
    return timeline.getCompletedReplaceTimeline().lastInstant();
  }

  static SyncedState state(HoodieTableMetaClient metaClient, HoodieInstant instant) {
    try {
      Map<String, String> properties =
          metaClient.getActiveTimeline().readReplaceCommitMetadata(instant).getExtraMetadata();
      return SyncedState.fromProperties(properties);
    } catch (IOException | HoodieException e) {
      throw new IndexException(
          "Cannot read the synced state of the index below " + metaClient.getBasePath(), e);
    }
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

  /** How many file groups an index partition has; it never changes. */
  int fileGroups(HoodieTableMetaClient metaClient, String partition) {
    int fileGroups = fileSlices(metadataTable(metaClient), partition).size();
    if (fileGroups == 0) {
      throw new IndexException(
          "Cannot find the file groups of " + partition + " below " + metaClient.getBasePath());
    }
    return fileGroups;
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
