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
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.apache.hudi.io.compress.CompressionCodec;
import org.apache.hudi.io.hfile.HFileTrailer;
import org.apache.hudi.io.hfile.HFileUtils;

/**
 * Unpacks blocks of an HFile, and reads its trailer.
 *
 * <p>Form of a block (HFile version 3): magic (8 bytes), size on disk without header (4), size
 * unpacked (4), offset of the block before (8), checksum type (1), bytes per checksum (4), size on
 * disk of header and data without checksums (4), data. Hudi writes no checksums; GZIP has its own,
 * which is checked here, since the stream is read to its end.
 */
final class HFileSection {
  private static final int HEADER = 33;

  /** No block is that large: Hudi's are of 1 MiB or so, ours smaller. */
  private static final int MAX_BYTES = 256 * 1024 * 1024;

  private HFileSection() {}

  /** The bytes that the block which begins at an offset takes on disk. */
  static int sizeOnDisk(byte[] bytes, int at) {
    return HEADER + ByteBuffer.wrap(bytes).getInt(at + 8);
  }

  /**
   * Reads and unpacks the block that comes next.
   *
   * @param magic what kind of block it must be
   */
  static byte[] readBlock(DataInputStream in, String magic, CompressionCodec codec)
      throws IOException {
    byte[] header = new byte[HEADER];
    in.readFully(header);
    int size = sizeOnDisk(header, 0);
    if (size < HEADER || size > MAX_BYTES) {
      throw new IOException("A block " + magic + " cannot have " + size + " bytes");
    }
    byte[] bytes = Arrays.copyOf(header, size);
    in.readFully(bytes, HEADER, size - HEADER);
    return unpack(bytes, 0, magic, codec);
  }

  /**
   * @param tail the end of an HFile
   */
  static HFileTrailer trailer(byte[] tail) throws IOException {
    int bytes = HFileTrailer.getTrailerSize();
    if (tail.length < bytes) {
      throw new EOFException("It is too short for an HFile");
    }
    byte[] last = Arrays.copyOfRange(tail, tail.length - bytes, tail.length);
    HFileTrailer trailer =
        new HFileTrailer(HFileUtils.readMajorVersion(last, bytes - 3), last[bytes - 4]);
    trailer.deserialize(new DataInputStream(new ByteArrayInputStream(last)));
    return trailer;
  }

  /**
   * @param bytes holds the whole block
   * @param at where it begins
   * @param magic what kind of block it must be
   */
  static byte[] unpack(byte[] bytes, int at, String magic, CompressionCodec codec)
      throws IOException {
    ByteBuffer header = ByteBuffer.wrap(bytes);
    String found = new String(bytes, at, 8, StandardCharsets.ISO_8859_1);
    if (!found.equals(magic)) {
      throw new IOException("Expected a block " + magic + " but found " + found);
    }
    int unpackedSize = header.getInt(at + 12);
    int dataSize = header.getInt(at + 29) - HEADER;
    if (dataSize < 0
        || unpackedSize < 0
        || unpackedSize > MAX_BYTES
        || at + HEADER + dataSize > bytes.length) {
      throw new EOFException("A block " + magic + " runs past the end of its bytes");
    }
    if (codec != CompressionCodec.GZIP) {
      // Hudi's default, and the only one whose blocks have a checksum.
      throw new IOException("Blocks packed with " + codec + " cannot be read");
    }
    return gunzip(new ByteArrayInputStream(bytes, at + HEADER, dataSize), unpackedSize);
  }

  private static byte[] gunzip(InputStream packed, int unpackedSize) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(packed, 8192)) {
      byte[] unpacked = new byte[unpackedSize];
      if (in.readNBytes(unpacked, 0, unpackedSize) < unpackedSize || in.read() >= 0) {
        throw new IOException("A block does not unpack to the size that its header tells");
      }
      return unpacked;
    }
  }
}
