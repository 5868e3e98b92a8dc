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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.HoodieDeltaWriteStat;
import org.apache.hudi.common.model.HoodieFileFormat;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.table.log.AppendResult;
import org.apache.hudi.common.table.log.HoodieLogFormat;
import org.apache.hudi.common.table.log.block.HoodieHFileDataBlock;
import org.apache.hudi.common.table.log.block.HoodieLogBlock;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.metadata.HoodieTableMetadataUtil;
import org.apache.hudi.metadata.MetadataPartitionType;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.HoodieStorageUtils;
import org.apache.hudi.storage.StorageConfiguration;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;

/**
 * Writes the entries of one commit, a file group at a time: as base files where the index is built,
 * as log files where it is added to. It goes to the tasks that do so.
 *
 * <p>Files carry the attempt's token in their names; those of attempts that did not count are
 * deleted before the commit.
 */
public final class EntrySink implements Serializable {
  private static final long serialVersionUID = 1L;

  /** So much of a log block is held in memory. */
  private static final int MAX_LOG_BLOCK_BYTES = 32 * 1024 * 1024;

  private static final int FIRST_LOG_VERSION = 1;

  private final StorageConfiguration<?> storageConf;
  private final String metadataBasePath;
  private final String partition;
  private final String instant;
  private final int fileGroups;
  private final boolean asBaseFiles;

  EntrySink(
      StorageConfiguration<?> storageConf,
      StoragePath metadataBasePath,
      String partition,
      String instant,
      int fileGroups,
      boolean asBaseFiles) {
    this.storageConf = storageConf;
    this.metadataBasePath = metadataBasePath.toString();
    this.partition = partition;
    this.instant = instant;
    this.fileGroups = fileGroups;
    this.asBaseFiles = asBaseFiles;
  }

  /** How many file groups the index has; {@link EntryKeys} assigns entries to them. */
  public int fileGroups() {
    return fileGroups;
  }

  /**
   * Writes all entries of a file group.
   *
   * @param fileGroup from 0 to {@link #fileGroups} - 1
   * @param sortedKeys the keys of the entries as {@link EntryKeys} makes them, in ascending order
   *     of their unsigned bytes; equal ones are written once
   * @param writeToken what tells this attempt from others: {@code <task>-<stage>-<attempt>}
   * @return what was written, or null if there were no entries
   */
  public WrittenFile write(int fileGroup, Iterator<byte[]> sortedKeys, String writeToken)
      throws IOException {
    if (!sortedKeys.hasNext()) {
      return null;
    }
    String fileId =
        HoodieTableMetadataUtil.getFileIDForFileGroup(
            MetadataPartitionType.SECONDARY_INDEX, fileGroup, partition, Option.empty());
    DistinctKeys keys = new DistinctKeys(sortedKeys);
    HoodieWriteStat stat =
        asBaseFiles
            ? writeBaseFile(fileId, keys, writeToken)
            : writeLogFile(fileId, keys, writeToken);
    stat.setFileId(fileId);
    stat.setPartitionPath(partition);
    stat.setNumWrites(keys.count());
    stat.setNumInserts(keys.count());
    stat.setTotalWriteBytes(stat.getFileSizeInBytes());
    String name = stat.getPath().substring(stat.getPath().lastIndexOf('/') + 1);
    List<EntryRun> runs =
        asBaseFiles
            ? Collections.singletonList(new EntryRun(fileGroup, name, 0, stat.getFileSizeInBytes()))
            : LogRuns.of(storage(), new StoragePath(folder(), name), fileGroup);
    return new WrittenFile(stat, runs);
  }

  private HoodieWriteStat writeBaseFile(String fileId, DistinctKeys keys, String writeToken)
      throws IOException {
    String name =
        FSUtils.makeBaseFileName(
            instant, writeToken, fileId, HoodieFileFormat.HFILE.getFileExtension());
    StoragePath path = new StoragePath(folder(), name);
    HoodieStorage storage = storage();
    writeHFile(storage.create(path, true), keys, Long.MAX_VALUE);
    HoodieWriteStat stat = new HoodieWriteStat();
    stat.setPath(partition + StoragePath.SEPARATOR + name);
    stat.setPrevCommit(HoodieWriteStat.NULL_COMMIT);
    stat.setFileSizeInBytes(storage.getPathInfo(path).getLength());
    return stat;
  }

  private HoodieWriteStat writeLogFile(String fileId, DistinctKeys keys, String writeToken)
      throws IOException {
    HoodieStorage storage = storage();
    Map<HoodieLogBlock.HeaderMetadataType, String> header = new HashMap<>();
    header.put(HoodieLogBlock.HeaderMetadataType.INSTANT_TIME, instant);
    header.put(HoodieLogBlock.HeaderMetadataType.SCHEMA, EntryValue.schema());
    long bytes = 0;
    HoodieLogFile file;
    try (HoodieLogFormat.Writer writer =
        HoodieLogFormat.newWriterBuilder()
            .onParentPath(folder())
            .withFileId(fileId)
            .withInstantTime(instant)
            .withLogVersion(FIRST_LOG_VERSION)
            .withLogWriteToken(writeToken)
            .withFileSize(0L)
            .withSizeThreshold(Long.MAX_VALUE)
            .withStorage(storage)
            .withTableVersion(IndexTable.VERSION)
            .withFileExtension(HoodieLogFile.DELTA_EXTENSION)
            .build()) {
      while (keys.hasNext()) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        writeHFile(content, keys, MAX_LOG_BLOCK_BYTES);
        AppendResult result =
            writer.appendBlock(block(content.toByteArray(), header, storage, writer.getLogFile()));
        bytes += result.size();
      }
      file = writer.getLogFile();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while writing " + fileId, e);
    }
    HoodieDeltaWriteStat stat = new HoodieDeltaWriteStat();
    stat.setPath(partition + StoragePath.SEPARATOR + file.getFileName());
    stat.setLogVersion(file.getLogVersion());
    stat.setLogOffset(0);
    stat.addLogFiles(file.getFileName());
    stat.setPrevCommit(HoodieWriteStat.NULL_COMMIT);
    stat.setFileSizeInBytes(bytes);
    return stat;
  }

  /** A block whose content is made already; Hudi's other constructor takes records and makes it. */
  private static HoodieHFileDataBlock block(
      byte[] content,
      Map<HoodieLogBlock.HeaderMetadataType, String> header,
      HoodieStorage storage,
      HoodieLogFile file) {
    return new HoodieHFileDataBlock(
        () -> {
          throw new IllegalStateException("Cannot read a block that is being written");
        },
        Option.of(content),
        false,
        new HoodieLogBlock.HoodieLogBlockContentLocation(
            storage, file, 0, content.length, content.length),
        Option.empty(),
        header,
        new HashMap<>(),
        false,
        file.getPath());
  }

  private static void writeHFile(OutputStream out, DistinctKeys keys, long maxBytes)
      throws IOException {
    long bytes = 0;
    try (HFileEntryWriter writer = new HFileEntryWriter(out, EntryValue.bytes())) {
      while (bytes < maxBytes && keys.hasNext()) {
        byte[] key = keys.next();
        writer.append(key);
        bytes += key.length;
      }
    }
  }

  /**
   * Deletes what failed or superfluous attempts left, so that no reader takes it for a part of the
   * commit.
   */
  void deleteAllBut(List<WrittenFile> files) {
    Set<String> names = files.stream().map(WrittenFile::name).collect(Collectors.toSet());
    HoodieStorage storage = storage();
    try {
      for (StoragePathInfo found : storage.listDirectEntries(folder())) {
        String name = found.getPath().getName();
        if (isOfThisCommit(name) && !names.contains(name)) {
          storage.deleteFile(found.getPath());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete files of failed attempts below " + folder(), e);
    }
  }

  private boolean isOfThisCommit(String name) {
    return asBaseFiles
        ? name.endsWith("_" + instant + HoodieFileFormat.HFILE.getFileExtension())
        : name.contains("_" + instant + HoodieLogFile.DELTA_EXTENSION);
  }

  private HoodieStorage storage() {
    return HoodieStorageUtils.getStorage(folder(), storageConf);
  }

  private StoragePath folder() {
    return new StoragePath(metadataBasePath, partition);
  }
}
