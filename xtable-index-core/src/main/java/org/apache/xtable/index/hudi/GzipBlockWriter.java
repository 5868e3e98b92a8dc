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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.apache.hudi.io.hfile.HFileBlockType;

/**
 * Packs blocks of an HFile with GZIP. {@link HFileSection} tells the form of a block.
 *
 * <p>Entries repeat paths and differ in keys. A repetition of three to five bytes, as keys of
 * digits have by chance, takes more bits to point to than to say again: zlib's strategy "filtered"
 * passes those over, from level 4 on. That makes blocks of hexadecimal keys 9 % smaller than the
 * fastest level does, which no higher level without it comes near.
 *
 * <p>Not thread-safe. Close it to free what the packer has outside the heap.
 */
final class GzipBlockWriter implements AutoCloseable {
  private static final int HEADER = 33;
  private static final int BYTES_PER_CHECKSUM = 16 * 1024;
  private static final int GZIP_HEADER = 10;
  private static final int GZIP_TRAILER = 8;
  private static final short GZIP_MAGIC = 0x1F8B;

  /** The lowest that looks for a better repetition before it takes one. */
  private static final int LEVEL = 4;

  private final Deflater deflater = new Deflater(LEVEL, true);
  private byte[] packed = new byte[64 * 1024];

  GzipBlockWriter() {
    deflater.setStrategy(Deflater.FILTERED);
  }

  /**
   * @param previousOffset where in the file the block before begins, or -1
   * @return the whole block with its header
   */
  byte[] pack(HFileBlockType type, byte[] bytes, int length, long previousOffset) {
    int dataSize = GZIP_HEADER + deflate(bytes, length) + GZIP_TRAILER;
    int checksums = 4 * ((HEADER + dataSize + BYTES_PER_CHECKSUM - 1) / BYTES_PER_CHECKSUM);
    ByteBuffer block = ByteBuffer.allocate(HEADER + dataSize + checksums);
    block
        .put(type.getMagic())
        .putInt(dataSize + checksums)
        .putInt(length)
        .putLong(previousOffset)
        .put((byte) 0)
        .putInt(BYTES_PER_CHECKSUM)
        .putInt(HEADER + dataSize);
    // Magic, method "deflate", no flags, no time, no extra flags, unknown system.
    block.putShort(GZIP_MAGIC).put((byte) 8).put((byte) 0).putInt(0).put((byte) 0).put((byte) 255);
    block.put(packed, 0, dataSize - GZIP_HEADER - GZIP_TRAILER);
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, length);
    block.order(ByteOrder.LITTLE_ENDIAN).putInt((int) crc.getValue()).putInt(length);
    return block.array();
  }

  private int deflate(byte[] bytes, int length) {
    deflater.reset();
    deflater.setInput(bytes, 0, length);
    deflater.finish();
    int size = 0;
    while (!deflater.finished()) {
      if (size == packed.length) {
        packed = Arrays.copyOf(packed, 2 * size);
      }
      size += deflater.deflate(packed, size, packed.length - size);
    }
    return size;
  }

  @Override
  public void close() {
    deflater.end();
  }
}
