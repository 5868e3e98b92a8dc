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
package org.apache.xtable.index.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.io.InputFile;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.SeekableInputStream;

/** Where the row groups of a Parquet file begin, in bytes, and end, in rows. Immutable. */
public final class RowGroups {
  private final long[] offsets;
  private final long[] ends;

  private RowGroups(long[] offsets, long[] ends) {
    this.offsets = offsets;
    this.ends = ends;
  }

  /**
   * Reads the footer of a file.
   *
   * @throws UncheckedIOException if it cannot be read
   */
  public static RowGroups of(InputFile file) {
    try (ParquetFileReader reader = ParquetFileReader.open(new ParquetInput(file))) {
      List<BlockMetaData> blocks = reader.getFooter().getBlocks();
      long[] offsets = new long[blocks.size()];
      long[] ends = new long[blocks.size()];
      long rows = 0;
      for (int i = 0; i < ends.length; i++) {
        rows += blocks.get(i).getRowCount();
        ends[i] = rows;
        offsets[i] = blocks.get(i).getStartingPos();
      }
      return new RowGroups(offsets, ends);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the footer of " + file.location(), e);
    }
  }

  /** How many row groups the file has. */
  public int count() {
    return ends.length;
  }

  /** How many rows the file has. */
  public long rows() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /** How many rows a row group has. */
  public long rows(int group) {
    return group == 0 ? ends[0] : ends[group] - ends[group - 1];
  }

  /** Where in the file a row group begins, as Iceberg's split offsets tell it. */
  public long offset(int group) {
    return offsets[group];
  }

  /**
   * The row group that holds a row.
   *
   * @param position zero-based number of a row of the file
   * @throws IllegalArgumentException if the file has no such row
   */
  public int groupWith(long position) {
    int found = Arrays.binarySearch(ends, position);
    int group = found >= 0 ? found + 1 : -found - 1;
    if (position < 0 || group >= ends.length) {
      throw new IllegalArgumentException(
          "Cannot find the row group of row " + position + ": the file has " + rows() + " rows");
    }
    return group;
  }

  /**
   * The number of the first row behind the row group that holds a row.
   *
   * @param position zero-based number of a row of the file
   * @throws IllegalArgumentException if the file has no such row
   */
  public long endOfGroupWith(long position) {
    return ends[groupWith(position)];
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
