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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hudi.io.compress.CompressionCodec;
import org.apache.hudi.io.hfile.HFileBlockType;
import org.apache.hudi.io.hfile.HFileContext;
import org.apache.hudi.io.hfile.HFileFileInfoBlock;
import org.apache.hudi.io.hfile.HFileRootIndexBlock;
import org.apache.hudi.io.hfile.HFileTrailer;
import org.apache.hudi.io.hfile.protobuf.generated.HFileProtos;
import org.apache.hudi.io.storage.HoodieAvroHFileReaderImplBase;

/**
 * Writes entries as an HFile (version 3, GZIP, one level of index), from their bytes.
 *
 * <p>Hudi 1.2.0 has a writer too. It takes keys as strings, keeps each entry of a block as an
 * object and packs blocks at GZIP's default level, which is most of the time that building an index
 * took. The small blocks at the end of the file are Hudi's own.
 *
 * <p>Not thread-safe. {@link #close} completes the file and closes the stream.
 */
final class HFileEntryWriter implements AutoCloseable {
  /** What Hudi names as comparator of keys in each HFile. */
  private static final String COMPARATOR = "org.apache.hudi.io.storage.HoodieHBaseKVComparator";

  private static final byte MAJOR_VERSION = 3;
  private static final long LATEST_TIMESTAMP = Long.MAX_VALUE;
  private static final byte PUT = 4;

  /** Bytes of the key part that are not the key: its length, family, timestamp, type. */
  private static final int KEY_PART_EXTRA = 2 + 1 + 8 + 1;

  private static final int MAX_KEY_BYTES = Short.MAX_VALUE;

  private final OutputStream out;
  private final byte[] value;
  private final HFileContext context =
      HFileContext.builder().compressionCodec(CompressionCodec.GZIP).build();
  private final HFileRootIndexBlock index =
      HFileRootIndexBlock.createRootIndexBlockToWrite(context);
  private final GzipBlockWriter blocks = new GzipBlockWriter();
  private ByteBuffer block = ByteBuffer.allocate(2 * EntryValue.BLOCK_BYTES);

  /** That of the block being filled, null while it is empty. */
  private byte[] indexKey;

  private byte[] lastKey = new byte[0];
  private long offset;
  private long lastBlockOffset = -1;
  private long unpackedBytes;
  private long entries;
  private long keyBytes;

  /**
   * @param value what all entries have as their value
   */
  HFileEntryWriter(OutputStream out, byte[] value) {
    this.out = out;
    this.value = value;
  }

  /** Appends an entry; keys come in ascending order of their unsigned bytes, each once. */
  void append(byte[] key) throws IOException {
    if (key.length > MAX_KEY_BYTES) {
      throw new IOException(
          "Cannot write index entry: its key has "
              + key.length
              + " bytes, at most "
              + MAX_KEY_BYTES
              + " fit; the path of the data file is too long");
    }
    int bytes = 4 + 4 + KEY_PART_EXTRA + key.length + value.length + 1;
    if (indexKey != null && block.position() + bytes > EntryValue.BLOCK_BYTES) {
      flush();
    }
    if (block.remaining() < bytes) {
      block = ByteBuffer.allocate(Math.max(block.capacity(), bytes));
    }
    if (indexKey == null) {
      indexKey = entries == 0 ? key : separator(lastKey, key);
    }
    block
        .putInt(KEY_PART_EXTRA + key.length)
        .putInt(value.length)
        .putShort((short) key.length)
        .put(key)
        .put((byte) 0)
        .putLong(LATEST_TIMESTAMP)
        .put(PUT)
        .put(value)
        .put((byte) 0);
    lastKey = key;
    entries++;
    keyBytes += key.length;
  }

  private void flush() throws IOException {
    byte[] packed =
        blocks.pack(HFileBlockType.DATA, block.array(), block.position(), lastBlockOffset);
    lastBlockOffset = offset;
    unpackedBytes += block.position();
    index.add(indexKey, offset, packed.length);
    write(packed);
    block.clear();
    indexKey = null;
  }

  /**
   * The shortest start of a key that sorts after the key before it: what the block index needs to
   * tell their blocks apart, a fraction of the key.
   */
  private static byte[] separator(byte[] before, byte[] key) {
    return Arrays.copyOf(key, Arrays.mismatch(before, key) + 1);
  }

  @Override
  public void close() throws IOException {
    try {
      if (indexKey != null) {
        flush();
      }
      long loadOnOpen = offset;
      write(index.serialize());
      // The index of meta blocks, of which there are none; readers want it to be there.
      write(HFileRootIndexBlock.createRootIndexBlockToWrite(context).serialize());
      long fileInfo = offset;
      write(fileInfo().serialize());
      write(trailer(loadOnOpen, fileInfo));
    } finally {
      blocks.close();
      out.close();
    }
  }

  private HFileFileInfoBlock fileInfo() {
    HFileFileInfoBlock info = HFileFileInfoBlock.createFileInfoBlockToWrite(context);
    info.add("hfile.LASTKEY", lastKeyWithLength());
    info.add("hfile.AVG_KEY_LEN", intBytes(average(keyBytes)));
    info.add("hfile.AVG_VALUE_LEN", intBytes(entries == 0 ? 0 : value.length));
    info.add("hfile.CREATE_TIME_TS", longBytes(System.currentTimeMillis()));
    info.add("MAX_MEMSTORE_TS_KEY", longBytes(0));
    info.add("KEY_VALUE_VERSION", intBytes(1));
    info.add(
        HoodieAvroHFileReaderImplBase.SCHEMA_KEY,
        EntryValue.schema().getBytes(StandardCharsets.UTF_8));
    return info;
  }

  private byte[] lastKeyWithLength() {
    return entries == 0
        ? new byte[0]
        : ByteBuffer.allocate(2 + lastKey.length)
            .putShort((short) lastKey.length)
            .put(lastKey)
            .array();
  }

  private int average(long total) {
    return entries == 0 ? 0 : (int) (total / entries);
  }

  private ByteBuffer trailer(long loadOnOpen, long fileInfo) throws IOException {
    HFileProtos.TrailerProto fields =
        HFileProtos.TrailerProto.newBuilder()
            .setFileInfoOffset(fileInfo)
            .setLoadOnOpenDataOffset(loadOnOpen)
            .setUncompressedDataIndexSize(unpackedBytes)
            .setDataIndexCount(index.getNumOfEntries())
            .setMetaIndexCount(0)
            .setEntryCount(entries)
            .setNumDataIndexLevels(1)
            .setFirstDataBlockOffset(entries == 0 ? -1 : 0)
            .setLastDataBlockOffset(lastBlockOffset)
            .setComparatorClassName(COMPARATOR)
            .setCompressionCodec(CompressionCodec.GZIP.getId())
            .build();
    ByteArrayOutputStream delimited = new ByteArrayOutputStream();
    fields.writeDelimitedTo(delimited);
    ByteBuffer trailer = ByteBuffer.allocate(HFileTrailer.getTrailerSize());
    trailer.put(HFileBlockType.TRAILER.getMagic()).put(delimited.toByteArray());
    trailer.put(trailer.capacity() - 1, MAJOR_VERSION);
    trailer.position(0);
    return trailer;
  }

  private void write(ByteBuffer bytes) throws IOException {
    out.write(bytes.array(), 0, bytes.limit());
    offset += bytes.limit();
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    offset += bytes.length;
  }

  private static byte[] intBytes(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static byte[] longBytes(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }
}
