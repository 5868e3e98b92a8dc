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

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hudi.io.SeekableDataInputStream;
import org.apache.hudi.io.hfile.HFileTrailer;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;

/**
 * Reads all entries of a run in their order. One block is in memory at a time.
 *
 * <p>It refuses what a lookup would pass over: entries that are not sorted, that are deleted or
 * otherwise unlike those of {@link EntryValue}, or that are not as many as the trailer tells.
 *
 * <p>Not thread-safe.
 */
final class EntryScan implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final StoragePath path;
  private final EntryRun run;
  private final byte[] value = EntryValue.bytes();
  private final HFileTrailer trailer;
  private final DataInputStream in;
  private EntryBlock block = new EntryBlock(new byte[0]);
  private int blocksRead;
  private int entry;
  private long entriesRead;
  private byte[] key;

  /**
   * @param folder that of the index partition
   */
  EntryScan(HoodieStorage storage, StoragePath folder, EntryRun run) throws IOException {
    this.path = new StoragePath(folder, run.fileName());
    this.run = run;
    this.trailer = readTrailer(storage);
    // A stream of its own: S3A takes one that goes back for one of random access.
    SeekableDataInputStream stream = storage.openSeekable(path, BUFFER_BYTES, false);
    this.in = new DataInputStream(new BufferedInputStream(stream, BUFFER_BYTES));
    stream.seek(run.offset());
  }

  private HFileTrailer readTrailer(HoodieStorage storage) throws IOException {
    byte[] tail = new byte[HFileTrailer.getTrailerSize()];
    if (run.length() < tail.length) {
      throw damaged("it is too short for an HFile");
    }
    try (SeekableDataInputStream stream = storage.openSeekable(path, tail.length, false)) {
      stream.seek(run.offset() + run.length() - tail.length);
      stream.readFully(tail);
    }
    HFileTrailer read = HFileSection.trailer(tail);
    if (read.getNumDataIndexLevels() != 1) {
      throw damaged("it has " + read.getNumDataIndexLevels() + " index levels");
    }
    return read;
  }

  /** Goes on to the next entry, if there is one. */
  boolean next() throws IOException {
    while (entry == block.size()) {
      if (blocksRead == trailer.getDataIndexCount()) {
        if (entriesRead != trailer.getNumKeyValueEntries()) {
          throw damaged("it has " + entriesRead + " entries, its trailer tells another number");
        }
        return false;
      }
      block = new EntryBlock(HFileSection.readBlock(in, "DATABLK*", trailer.getCompressionCodec()));
      blocksRead++;
      entry = 0;
    }
    byte[] next = block.key(entry);
    if (key != null && Arrays.compareUnsigned(key, next) >= 0) {
      throw damaged("its entries are not sorted");
    }
    if (!block.hasValue(entry, value)) {
      throw damaged("it has an entry that is deleted or of another form");
    }
    key = next;
    entry++;
    entriesRead++;
    return true;
  }

  /** The key of the entry that {@link #next} went to. */
  byte[] key() {
    return key;
  }

  /** How many entries were read. */
  long entriesRead() {
    return entriesRead;
  }

  private IOException damaged(String why) {
    return new IOException(
        "Cannot merge " + path.getParent() + StoragePath.SEPARATOR + run + ": " + why);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
