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
import java.util.List;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.table.log.HoodieLogFormat;
import org.apache.hudi.common.table.log.block.HoodieDeleteBlock;
import org.apache.hudi.common.table.log.block.HoodieLogBlock;
import org.apache.hudi.io.hfile.HFileTrailer;
import org.apache.hudi.metadata.MetadataRecordSchema;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;
import org.apache.xtable.index.IndexException;

/** Finds the runs of entries in Hudi log files. */
final class LogRuns {
  private LogRuns() {}

  /**
   * The HFiles in a log file. Blocks that hold no entries, such as the one with which Hudi begins
   * each file group, are passed over.
   *
   * @throws IndexException if the file is damaged
   */
  static List<EntryRun> of(HoodieStorage storage, StoragePath file, int fileGroup) {
    List<EntryRun> runs = new ArrayList<>();
    try {
      StoragePathInfo info = storage.getPathInfo(file);
      if (info.getLength() < HFileTrailer.getTrailerSize()) {
        return runs;
      }
      HoodieSchema schema = MetadataRecordSchema.intern();
      try (HoodieLogFormat.Reader blocks =
          HoodieLogFormat.newReader(storage, new HoodieLogFile(info), schema)) {
        while (blocks.hasNext()) {
          HoodieLogBlock block = blocks.next();
          switch (block.getBlockType()) {
            case HFILE_DATA_BLOCK:
              HoodieLogBlock.HoodieLogBlockContentLocation content =
                  block.getBlockContentLocation().get();
              runs.add(
                  new EntryRun(
                      fileGroup,
                      file.getName(),
                      content.getContentPositionInLogFile(),
                      content.getBlockSize()));
              break;
            case DELETE_BLOCK:
            case COMMAND_BLOCK:
              break;
            default:
              throw new IndexException(
                  "Cannot read index: " + file + " has a block " + block.getBlockType());
          }
        }
      }
      return runs;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read index log file " + file, e);
    }
  }

  /** Whether a log file has no records at all, deleted ones included. */
  static boolean isEmpty(HoodieStorage storage, StoragePath file) throws IOException {
    HoodieLogFile log = new HoodieLogFile(storage.getPathInfo(file));
    HoodieSchema schema = MetadataRecordSchema.intern();
    try (HoodieLogFormat.Reader blocks = HoodieLogFormat.newReader(storage, log, schema)) {
      while (blocks.hasNext()) {
        HoodieLogBlock block = blocks.next();
        if (!(block instanceof HoodieDeleteBlock)
            || ((HoodieDeleteBlock) block).getRecordsToDelete().length > 0) {
          return false;
        }
      }
      return true;
    }
  }
}
