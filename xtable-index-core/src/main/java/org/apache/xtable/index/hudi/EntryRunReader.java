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

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hudi.io.SeekableDataInputStream;
import org.apache.hudi.io.compress.CompressionCodec;
import org.apache.hudi.io.hfile.HFileTrailer;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;

/**
 * Looks keys up in one run of entries. Its block index is read once, its blocks are kept in a cache
 * that the runs share.
 *
 * <p>Hudi 1.2.0's own reader opens files anew and unpacks whole ones for each lookup, and seeks
 * from entry to entry.
 *
 * <p>Thread-safe.
 */
final class EntryRunReader {
  /** A run that is no longer is read whole: a request costs more than the bytes. */
  private static final int SMALL_RUN_BYTES = 1024 * 1024;

  /**
   * The block index takes less than this part of a run of ours, so that one read gets all of it.
   */
  private static final int MIN_RUN_TO_INDEX = 32;

  /** No block index is that large: a file of 2 GiB has some 32,000 blocks. */
  private static final int MAX_INDEX_BYTES = 64 * 1024 * 1024;

  /** The least that an entry of the block index takes. */
  private static final int MIN_INDEX_ENTRY_BYTES = 8 + 4 + 1 + 2;

  /** Blocks that are no further apart are read together: a request costs more than the bytes. */
  private static final int MAX_GAP_BYTES = 256 * 1024;

  /** What is read together is in memory at once. */
  private static final int MAX_READ_BYTES = 4 * 1024 * 1024;

  private static final int BUFFER_BYTES = 64 * 1024;

  private final String cacheKeySuffix;
  private final StoragePath path;
  private final EntryRun run;
  private final EntryCache cache;

  /**
   * @param buildId tells the index from a later one at the same place, which may reuse file names
   */
  EntryRunReader(String buildId, StoragePath folder, EntryRun run, EntryCache cache) {
    this.path = new StoragePath(folder, run.fileName());
    this.cacheKeySuffix = " " + run.offset() + " " + path + " " + buildId;
    this.run = run;
    this.cache = cache;
  }

  /**
   * Looks up what is in memory.
   *
   * @param prefixes entry key prefixes, see {@link EntryKey#prefix}, in ascending order of their
   *     bytes
   * @param recordKeys takes what follows a prefix in each entry that starts with it
   * @return false, having given nothing, if the run has to be read
   */
  boolean findInMemory(List<byte[]> prefixes, Consumer<String> recordKeys) {
    BlockIndex blocks = cache.get(indexCacheKey(), BlockIndex.class);
    if (blocks == null) {
      return false;
    }
    int[] needed = blocks.holding(prefixes);
    EntryBlock[] cached = new EntryBlock[needed.length];
    for (int i = 0; i < needed.length; i++) {
      cached[i] = cache.get(cacheKey(blocks, needed[i]), EntryBlock.class);
      if (cached[i] == null) {
        return false;
      }
    }
    find(prefixes, recordKeys, blocks, block -> cached[Arrays.binarySearch(needed, block)]);
    return true;
  }

  /**
   * Reads what is not in memory, and looks up.
   *
   * @param prefixes see {@link #findInMemory}
   * @param recordKeys see {@link #findInMemory}
   */
  void find(HoodieStorage storage, List<byte[]> prefixes, Consumer<String> recordKeys)
      throws IOException {
    try (Source source = new Source(storage)) {
      BlockIndex blocks = index(source);
      int[] needed = blocks.holding(prefixes);
      find(prefixes, recordKeys, blocks, block -> block(source, blocks, block, needed));
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "Cannot read index entries at "
              + path.getParent()
              + StoragePath.SEPARATOR
              + run
              + ": "
              + e,
          e);
    }
  }

  private static <E extends Exception> void find(
      List<byte[]> prefixes,
      Consumer<String> recordKeys,
      BlockIndex blocks,
      BlockSource<E> blockSource)
      throws E {
    for (byte[] prefix : prefixes) {
      int block = blocks.floor(prefix);
      boolean more = block < blocks.size();
      while (more) {
        more = blockSource.get(block).find(prefix, recordKeys);
        block++;
        more &= block < blocks.size() && !blocks.isAfter(block, prefix);
      }
    }
  }

  private interface BlockSource<E extends Exception> {
    EntryBlock get(int block) throws E;
  }

  /**
   * @param needed all blocks that will be asked for, ascending; those that follow closely are read
   *     with this one
   */
  private EntryBlock block(Source source, BlockIndex blocks, int block, int[] needed)
      throws IOException {
    String key = cacheKey(blocks, block);
    EntryBlock cached = cache.get(key, EntryBlock.class);
    if (cached != null) {
      return cached;
    }
    long start = blocks.offset(block);
    if (!source.holds(start, blocks.end(block))) {
      source.read(start, endOfRead(blocks, needed, Arrays.binarySearch(needed, block)));
    }
    EntryBlock read =
        new EntryBlock(
            HFileSection.unpack(source.bytes(), source.indexOf(start), "DATABLK*", blocks.codec()));
    cache.put(key, read);
    return read;
  }

  private static long endOfRead(BlockIndex blocks, int[] needed, int first) {
    long start = blocks.offset(needed[first]);
    long end = blocks.end(needed[first]);
    for (int i = first + 1; i < needed.length; i++) {
      boolean far = blocks.offset(needed[i]) - end > MAX_GAP_BYTES;
      if (far || blocks.end(needed[i]) - start > MAX_READ_BYTES) {
        break;
      }
      end = blocks.end(needed[i]);
    }
    return end;
  }

  private String cacheKey(BlockIndex blocks, int block) {
    return blocks.offset(block) + cacheKeySuffix;
  }

  private String indexCacheKey() {
    return "index" + cacheKeySuffix;
  }

  private BlockIndex index(Source source) throws IOException {
    BlockIndex known = cache.get(indexCacheKey(), BlockIndex.class);
    if (known == null) {
      known = readIndex(source);
      cache.put(indexCacheKey(), known);
    }
    return known;
  }

  private BlockIndex readIndex(Source source) throws IOException {
    source.read(Math.max(0, run.length() - tailBytes()), run.length());
    HFileTrailer trailer = HFileSection.trailer(source.bytes());
    if (trailer.getNumDataIndexLevels() != 1) {
      throw new IOException(
          "HFiles with " + trailer.getNumDataIndexLevels() + " index levels cannot be read");
    }
    long indexOffset = trailer.getLoadOnOpenDataOffset();
    if (run.length() - indexOffset > MAX_INDEX_BYTES) {
      throw new IOException("Its block index cannot begin at byte " + indexOffset);
    }
    if (!source.holds(indexOffset, run.length())) {
      source.read(indexOffset, run.length());
    }
    byte[] root =
        HFileSection.unpack(
            source.bytes(), source.indexOf(indexOffset), "IDXROOT2", trailer.getCompressionCodec());
    return new BlockIndex(root, trailer.getDataIndexCount(), trailer.getCompressionCodec());
  }

  private long tailBytes() {
    return Math.min(MAX_READ_BYTES, Math.max(SMALL_RUN_BYTES, run.length() / MIN_RUN_TO_INDEX));
  }

  /**
   * The first keys of the blocks and where the blocks are: as they are in the file, since a large
   * index has millions of them.
   */
  private static final class BlockIndex implements EntryCache.Item {
    private static final int SIZE = 8;
    private static final int KEY_PART_LENGTH = 12;

    private final ByteBuffer root;
    private final int[] entries;
    private final CompressionCodec codec;

    BlockIndex(byte[] root, int count, CompressionCodec codec) throws IOException {
      if (count < 0 || count > root.length / MIN_INDEX_ENTRY_BYTES) {
        throw new IOException("Its block index cannot have " + count + " entries");
      }
      this.root = ByteBuffer.wrap(root);
      this.entries = new int[count];
      this.codec = codec;
      ByteArrayInputStream stream = new ByteArrayInputStream(root);
      DataInputStream in = new DataInputStream(stream);
      for (int i = 0; i < count; i++) {
        entries[i] = root.length - stream.available();
        in.skipBytes(KEY_PART_LENGTH);
        int keyPart = WritableUtils.readVInt(in);
        int keyBytes = in.readUnsignedShort();
        if (keyPart < 2 + keyBytes || keyPart - 2 > stream.available()) {
          throw new IOException("Its block index has an entry that does not fit");
        }
        in.skipBytes(keyPart - 2);
      }
      if (stream.available() > 0) {
        throw new IOException("Its block index has more entries than its trailer tells");
      }
    }

    @Override
    public int bytes() {
      return root.capacity() + 4 * entries.length;
    }

    int size() {
      return entries.length;
    }

    long offset(int block) {
      return root.getLong(entries[block]);
    }

    long end(int block) {
      return offset(block) + root.getInt(entries[block] + SIZE);
    }

    CompressionCodec codec() {
      return codec;
    }

    private int keyStart(int block) {
      int keyPart = entries[block] + KEY_PART_LENGTH;
      return keyPart + WritableUtils.decodeVIntSize(root.get(keyPart)) + 2;
    }

    private int keyEnd(int block) {
      int start = keyStart(block);
      return start + (root.getShort(start - 2) & 0xFFFF);
    }

    /** The blocks that may have entries with one of the prefixes, which ascend; ascending. */
    int[] holding(List<byte[]> prefixes) {
      IntStream.Builder blocks = IntStream.builder();
      int next = 0;
      for (byte[] prefix : prefixes) {
        int first = floor(prefix);
        for (int block = first;
            block < size() && (block == first || !isAfter(block, prefix));
            block++) {
          if (block >= next) {
            blocks.add(block);
            next = block + 1;
          }
        }
      }
      return blocks.build().toArray();
    }

    /** The last block that begins at or before a key; the first one where all begin after it. */
    int floor(byte[] key) {
      int low = 0;
      int high = size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        int order =
            Arrays.compareUnsigned(
                root.array(), keyStart(middle), keyEnd(middle), key, 0, key.length);
        if (order <= 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return Math.max(0, low - 1);
    }

    /** Whether a block begins behind all keys that start with a prefix. */
    boolean isAfter(int block, byte[] prefix) {
      int start = keyStart(block);
      int common = Math.min(keyEnd(block) - start, prefix.length);
      return Arrays.compareUnsigned(root.array(), start, start + common, prefix, 0, common) > 0;
    }
  }

  /**
   * The run's bytes; the file is opened when the first of them are needed. What was read last is
   * kept, as the end of a small run, which is read for its block index, is all of it.
   */
  private final class Source implements AutoCloseable {
    private final HoodieStorage storage;
    private SeekableDataInputStream in;
    private byte[] bytes = new byte[0];
    private long offset;

    Source(HoodieStorage storage) {
      this.storage = storage;
    }

    /** Whether all of a range was read last. */
    boolean holds(long start, long end) {
      return start >= offset && end <= offset + bytes.length;
    }

    /** What was read last. */
    byte[] bytes() {
      return bytes;
    }

    /** Where in {@link #bytes} a byte of the run is. */
    int indexOf(long runOffset) {
      return Math.toIntExact(runOffset - offset);
    }

    void read(long start, long end) throws IOException {
      if (start < 0 || start > end || end > run.length()) {
        throw new EOFException("It has no bytes " + start + " to " + end);
      }
      if (in == null) {
        in = storage.openSeekable(path, BUFFER_BYTES, false);
      }
      byte[] read = new byte[Math.toIntExact(end - start)];
      in.seek(run.offset() + start);
      in.readFully(read);
      bytes = read;
      offset = start;
    }

    @Override
    public void close() throws IOException {
      if (in != null) {
        in.close();
      }
    }
  }
}
