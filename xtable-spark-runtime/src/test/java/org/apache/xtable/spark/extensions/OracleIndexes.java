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
package org.apache.xtable.spark.extensions;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.KeyEncoding;
import org.apache.xtable.index.KeyLocations;
import org.apache.xtable.index.KeyType;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SecondaryIndexes;
import org.apache.xtable.index.SyncedState;
import org.apache.xtable.index.iceberg.TableDataPath;

/**
 * Indexes in memory that are right by construction: built by reading every row of a table with its
 * file and position. A file that does not hold a key is never in the answer, and one that does
 * always is.
 */
final class OracleIndexes implements SecondaryIndexes {
  private final Map<DataPath, OracleIndex> indexes = new ConcurrentHashMap<>();
  private final AtomicInteger finds = new AtomicInteger();
  private final AtomicInteger lookups = new AtomicInteger();

  private volatile Supplier<? extends Throwable> findFailure;
  private volatile Supplier<? extends Throwable> lookupFailure;
  private volatile Runnable duringLookup = () -> {};
  private volatile boolean closed;

  /** Indexes the current snapshot of a table. */
  void sync(SparkSession spark, String tableName, String column) throws Exception {
    spark.sql("REFRESH TABLE " + tableName);
    Table table = Spark3Util.loadIcebergTable(spark, tableName);
    String quoted = "`" + column.replace("`", "``") + "`";
    sync(table, column, spark.table(tableName).select(quoted, "_file", "_pos").collectAsList());
  }

  private void sync(Table table, String column, List<Row> rows) {
    DataPath dataPath = TableDataPath.of(table);
    NestedField field = table.schema().findField(column);
    Snapshot snapshot = table.currentSnapshot();
    Map<String, Map<String, Long>> firstPositions = new HashMap<>();
    for (Row row : rows) {
      Optional<String> file = dataPath.relativize(row.getString(1));
      if (!row.isNullAt(0) && file.isPresent()) {
        firstPositions
            .computeIfAbsent(KeyEncoding.encode(row.get(0)), key -> new HashMap<>())
            .merge(file.get(), row.getLong(2), Math::min);
      }
    }
    SyncedState state =
        new SyncedState(
            table.uuid().toString(),
            snapshot == null ? SyncedState.NO_SNAPSHOT : snapshot.snapshotId(),
            table.schema().schemaId(),
            new IndexedColumn(column, field.fieldId(), KeyType.of(field.type()).orElseThrow()),
            rows.size(),
            rows.size(),
            0,
            rows.size());
    indexes.put(dataPath, new OracleIndex(state, firstPositions));
  }

  void drop() {
    indexes.clear();
  }

  void failFind(Supplier<? extends Throwable> failure) {
    this.findFailure = failure;
  }

  void failLookup(Supplier<? extends Throwable> failure) {
    this.lookupFailure = failure;
  }

  /** What happens while a query looks keys up. */
  void duringLookup(Runnable action) {
    this.duringLookup = action;
  }

  int finds() {
    return finds.get();
  }

  int lookups() {
    return lookups.get();
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public Optional<SecondaryIndex> find(String dataPath) {
    finds.incrementAndGet();
    fail(findFailure);
    return Optional.ofNullable(indexes.get(new DataPath(dataPath)));
  }

  @Override
  public void close() {
    this.closed = true;
  }

  private static void fail(Supplier<? extends Throwable> failure) {
    if (failure != null) {
      OracleIndexes.<RuntimeException>sneakyThrow(failure.get());
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneakyThrow(Throwable failure) throws T {
    throw (T) failure;
  }

  private final class OracleIndex implements SecondaryIndex {
    private final SyncedState state;
    private final Map<String, Map<String, Long>> firstPositions;

    OracleIndex(SyncedState state, Map<String, Map<String, Long>> firstPositions) {
      this.state = state;
      this.firstPositions = firstPositions;
    }

    @Override
    public SyncedState state() {
      return state;
    }

    @Override
    public KeyLocations lookup(Collection<?> keys) {
      lookups.incrementAndGet();
      fail(lookupFailure);
      KeyLocations.Builder locations = KeyLocations.builder();
      for (String key : keys.stream().map(KeyEncoding::encode).collect(Collectors.toSet())) {
        firstPositions.getOrDefault(key, Map.of()).forEach(locations::add);
      }
      duringLookup.run();
      return locations.build();
    }

    @Override
    public boolean isCurrent() {
      return indexes.containsValue(this);
    }
  }
}
