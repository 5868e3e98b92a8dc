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
package org.apache.xtable.index;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What an index represents: which table, which snapshot of it, which column; and how much of the
 * index is garbage.
 *
 * <p>It is stored as string properties in the metadata of the Hudi commit that a sync completes, so
 * that state and entries become visible together.
 *
 * <p>Immutable.
 */
public final class SyncedState {
  /** The version of the on-disk form that this code writes, and the newest it reads. */
  public static final int FORMAT_VERSION = 1;

  /** The snapshot id of a table that has no snapshot. */
  public static final long NO_SNAPSHOT = -1L;

  private static final String PREFIX = "xtable.index.";
  private static final String FORMAT_VERSION_KEY = PREFIX + "format-version";
  private static final String TABLE_UUID_KEY = PREFIX + "table-uuid";
  private static final String SNAPSHOT_ID_KEY = PREFIX + "snapshot-id";
  private static final String SCHEMA_ID_KEY = PREFIX + "schema-id";
  private static final String COLUMN_NAME_KEY = PREFIX + "column.name";
  private static final String COLUMN_FIELD_ID_KEY = PREFIX + "column.field-id";
  private static final String COLUMN_TYPE_KEY = PREFIX + "column.type";
  private static final String ENTRIES_KEY = PREFIX + "entries";
  private static final String LIVE_FILES_KEY = PREFIX + "live-files";
  private static final String LIVE_ROWS_KEY = PREFIX + "live-rows";
  private static final String INDEXED_ROWS_KEY = PREFIX + "indexed-rows";

  private final String tableUuid;
  private final long snapshotId;
  private final int schemaId;
  private final IndexedColumn column;
  private final long entries;
  private final long indexedRows;
  private final long liveFiles;
  private final long liveRows;

  /**
   * @param tableUuid the Iceberg table's UUID
   * @param snapshotId the synced snapshot, or {@link #NO_SNAPSHOT}
   * @param schemaId the table's current schema when it was synced
   * @param column the indexed column
   * @param entries entries written since the last (re)build, those of removed files included
   * @param indexedRows rows of all files that were indexed since the last (re)build, removed files
   *     included
   * @param liveFiles covered files of the synced snapshot
   * @param liveRows rows of those files
   */
  public SyncedState(
      String tableUuid,
      long snapshotId,
      int schemaId,
      IndexedColumn column,
      long entries,
      long indexedRows,
      long liveFiles,
      long liveRows) {
    this.tableUuid = Objects.requireNonNull(tableUuid, "tableUuid is null");
    this.snapshotId = snapshotId;
    this.schemaId = schemaId;
    this.column = Objects.requireNonNull(column, "column is null");
    this.entries = entries;
    this.indexedRows = indexedRows;
    this.liveFiles = liveFiles;
    this.liveRows = liveRows;
  }

  public String tableUuid() {
    return tableUuid;
  }

  public long snapshotId() {
    return snapshotId;
  }

  public int schemaId() {
    return schemaId;
  }

  public IndexedColumn column() {
    return column;
  }

  public long entries() {
    return entries;
  }

  public long indexedRows() {
    return indexedRows;
  }

  public long liveFiles() {
    return liveFiles;
  }

  public long liveRows() {
    return liveRows;
  }

  public Map<String, String> toProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(FORMAT_VERSION_KEY, Integer.toString(FORMAT_VERSION));
    properties.put(TABLE_UUID_KEY, tableUuid);
    properties.put(SNAPSHOT_ID_KEY, Long.toString(snapshotId));
    properties.put(SCHEMA_ID_KEY, Integer.toString(schemaId));
    properties.put(COLUMN_NAME_KEY, column.name());
    properties.put(COLUMN_FIELD_ID_KEY, Integer.toString(column.fieldId()));
    properties.put(COLUMN_TYPE_KEY, column.type().name());
    properties.put(ENTRIES_KEY, Long.toString(entries));
    properties.put(INDEXED_ROWS_KEY, Long.toString(indexedRows));
    properties.put(LIVE_FILES_KEY, Long.toString(liveFiles));
    properties.put(LIVE_ROWS_KEY, Long.toString(liveRows));
    return properties;
  }

  /** Whether properties of a commit hold a synced state at all. */
  public static boolean isIn(Map<String, String> properties) {
    return properties.containsKey(FORMAT_VERSION_KEY);
  }

  /**
   * @throws IndexException if a property is missing or wrong, or the index was written by a newer
   *     version
   */
  public static SyncedState fromProperties(Map<String, String> properties) {
    int version = Math.toIntExact(number(properties, FORMAT_VERSION_KEY));
    if (version > FORMAT_VERSION) {
      throw new IndexException(
          String.format(
              "Cannot read index: its format version is %d, this version of XTable Index reads up to %d;"
                  + " use the version that wrote it, or delete the %s folder and sync again",
              version, FORMAT_VERSION, DataPath.INDEX_FOLDER));
    }
    return new SyncedState(
        text(properties, TABLE_UUID_KEY),
        number(properties, SNAPSHOT_ID_KEY),
        Math.toIntExact(number(properties, SCHEMA_ID_KEY)),
        new IndexedColumn(
            text(properties, COLUMN_NAME_KEY),
            Math.toIntExact(number(properties, COLUMN_FIELD_ID_KEY)),
            keyType(properties)),
        number(properties, ENTRIES_KEY),
        number(properties, INDEXED_ROWS_KEY),
        number(properties, LIVE_FILES_KEY),
        number(properties, LIVE_ROWS_KEY));
  }

  private static KeyType keyType(Map<String, String> properties) {
    String name = text(properties, COLUMN_TYPE_KEY);
    try {
      return KeyType.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new IndexException(
          "Cannot read index: "
              + COLUMN_TYPE_KEY
              + " is '"
              + name
              + "', not one of "
              + KeyType.allowed(),
          e);
    }
  }

  private static long number(Map<String, String> properties, String key) {
    String text = text(properties, key);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IndexException("Cannot read index: " + key + " is '" + text + "', not a number", e);
    }
  }

  private static String text(Map<String, String> properties, String key) {
    String value = properties.get(key);
    if (value == null) {
      throw new IndexException("Cannot read index: its last commit has no " + key);
    }
    return value;
  }

  @Override
  public String toString() {
    return String.format(
        "SyncedState(table %s, snapshot %d, column %s, %d files, %d entries)",
        tableUuid, snapshotId, column, liveFiles, entries);
  }
}
