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
package org.apache.xtable.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.io.InputFile;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.SeekableInputStream;

/** Where the row groups of a Parquet file begin and end, in rows. Immutable. */
final class RowGroups {
  private final long[] ends;

  private RowGroups(long[] ends) {
    this.ends = ends;
  }

  /** Reads the footer of a file. */
  static RowGroups of(InputFile file) {
    try (ParquetFileReader reader = ParquetFileReader.open(new ParquetInput(file))) {
      List<BlockMetaData> blocks = reader.getFooter().getBlocks();
      long[] ends = new long[blocks.size()];
      long rows = 0;
      for (int i = 0; i < ends.length; i++) {
        rows += blocks.get(i).getRowCount();
        ends[i] = rows;
      }
      return new RowGroups(ends);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the footer of " + file.location(), e);
    }
  }

  /**
   * The number of the first row behind the row group that holds a row.
   *
   * @param position zero-based number of a row of the file
   */
  long endOfGroupWith(long position) {
    int found = Arrays.binarySearch(ends, position);
    int group = found >= 0 ? found + 1 : -found - 1;
    if (group >= ends.length) {
      throw new IllegalArgumentException(
          "Cannot find the row group of row "
              + position
              + ": the file has "
              + (ends.length == 0 ? 0 : ends[ends.length - 1])
              + " rows");
    }
    return ends[group];
  }

  /** An Iceberg file as Parquet's own reader takes it, so that any Iceberg FileIO will do. */
  private static final class ParquetInput implements org.apache.parquet.io.InputFile {
    private final InputFile file;

    ParquetInput(InputFile file) {
      this.file = file;
    }

    @Override
    public long getLength() {
      return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      org.apache.iceberg.io.SeekableInputStream stream = file.newStream();
      return new DelegatingSeekableInputStream(stream) {
        @Override
        public long getPos() throws IOException {
          return stream.getPos();
        }

        @Override
        public void seek(long position) throws IOException {
          stream.seek(position);
        }
      };
    }
  }
}
