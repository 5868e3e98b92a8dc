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

import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.iceberg.Table;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.LongAccumulator;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.KeyType;
import org.apache.xtable.index.hudi.EntryKeys;
import org.apache.xtable.index.iceberg.RowGroups;

/**
 * Turns rows of {@link ColumnReader} into rows of (route of the file group, entry key): one for
 * each value, file and row group, at the first row that has the value. Nulls make none.
 *
 * <p>The row that the iterator gives is the same each time, with other contents.
 */
final class EntryRows implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
  private static final long serialVersionUID = 1L;

  /**
   * Beyond so many different values in a row group, finding repetitions costs more than it saves.
   */
  private static final int MAX_REMEMBERED = 1_000_000;

  private final Broadcast<Table> table;
  private final DataPath dataPath;
  private final KeyType type;
  private final FileGroupRoutes routes;

  private final LongAccumulator filesRead;
  private final LongAccumulator rowsRead;

  EntryRows(
      Broadcast<Table> table,
      DataPath dataPath,
      KeyType type,
      FileGroupRoutes routes,
      SyncProgress progress) {
    this.table = table;
    this.dataPath = dataPath;
    this.type = type;
    this.routes = routes;
    this.filesRead = progress.files();
    this.rowsRead = progress.rows();
  }

  @Override
  public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    return new Entries(rows);
  }

  private final class Entries implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final EntryKeys keys = new EntryKeys(routes.fileGroups());
    private final Set<Object> seen = new HashSet<>();
    private final GenericInternalRow entry = new GenericInternalRow(2);
    private UTF8String file;
    private RowGroups rowGroups;
    private long endOfRowGroup;
    private boolean ready;

    Entries(Iterator<InternalRow> rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      while (!ready && rows.hasNext()) {
        ready = makeEntry(rows.next());
      }
      return ready;
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      ready = false;
      return entry;
    }

    /** Whether the row made an entry. */
    private boolean makeEntry(InternalRow row) {
      rowsRead.add(1);
      long position = row.getLong(ColumnReader.POSITION);
      if (position == 0) {
        filesRead.add(1);
      }
      if (row.isNullAt(ColumnReader.VALUE)) {
        return false;
      }
      enterRowGroup(row.getUTF8String(ColumnReader.FILE), position);
      switch (type) {
        case STRING:
          UTF8String text = row.getUTF8String(ColumnReader.VALUE);
          if (isRepeated(text)) {
            return false;
          }
          keys.make(text.getBytes(), position);
          break;
        case INT:
        case BIGINT:
          Object number =
              type == KeyType.INT
                  ? (Object) row.getInt(ColumnReader.VALUE)
                  : (Object) row.getLong(ColumnReader.VALUE);
          if (isRepeated(number)) {
            return false;
          }
          keys.make(number, position);
          break;
        default:
          throw new IllegalStateException("Cannot index values of type " + type);
      }
      entry.setInt(0, routes.route(keys.fileGroup()));
      entry.update(1, keys.key());
      return true;
    }

    private boolean isRepeated(Object value) {
      if (seen.contains(value)) {
        return true;
      }
      if (seen.size() < MAX_REMEMBERED) {
        // Iceberg's vectorised reader gives strings that point into the batch.
        seen.add(value instanceof UTF8String ? ((UTF8String) value).copy() : value);
      }
      return false;
    }

    private void enterRowGroup(UTF8String rowFile, long position) {
      if (!rowFile.equals(file)) {
        file = rowFile.copy();
        String location = file.toString();
        keys.enterFile(
            dataPath
                .relativize(location)
                .orElseThrow(
                    () ->
                        new IllegalStateException(
                            "Cannot index " + location + ": it is not below " + dataPath)));
        rowGroups = RowGroups.of(table.value().io().newInputFile(location));
        endOfRowGroup = -1;
      }
      if (position >= endOfRowGroup) {
        endOfRowGroup = rowGroups.endOfGroupWith(position);
        seen.clear();
      }
    }
  }
}
