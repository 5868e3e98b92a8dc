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
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.hudi.EntrySink;
import org.apache.xtable.index.hudi.EntrySource;
import org.apache.xtable.index.hudi.WrittenFile;
import org.apache.xtable.index.iceberg.CoveredFile;
import org.apache.xtable.index.iceberg.TableDataPath;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.SyncPlan;

/**
 * The entries of data files of a table, made, sorted and written by Spark: tasks read the column,
 * shuffle its entries to their file groups, sort them as bytes and write one file each.
 */
final class TableEntries implements EntrySource {
  private static final String ROUTE = "route";
  private static final String KEY = "key";
  private static final StructType ENTRY =
      new StructType()
          .add(ROUTE, DataTypes.IntegerType, false)
          .add(KEY, DataTypes.BinaryType, false);

  private final SparkSession spark;
  private final Table table;
  private final DatasetConfig.Dataset dataset;
  private final IndexedColumn column;
  private final List<CoveredFile> files;

  TableEntries(SparkSession spark, Table table, DatasetConfig.Dataset dataset, SyncPlan plan) {
    this.spark = spark;
    this.table = table;
    this.dataset = dataset;
    this.column = plan.column();
    this.files = plan.added();
  }

  @Override
  public List<WrittenFile> writeTo(EntrySink sink) {
    if (files.isEmpty()) {
      return Collections.emptyList();
    }
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<Table> broadcastTable = context.broadcast(SerializableTable.copyOf(table));
    FileGroupRoutes routes = new FileGroupRoutes(sink.fileGroups());
    try (ColumnReader reader = new ColumnReader(spark, table);
        SyncProgress progress =
            new SyncProgress(
                spark.sparkContext(), dataset.name(), files, sink.fileGroups(), System::nanoTime)) {
      JavaRDD<InternalRow> values = reader.read(files, column.name());
      int tasks = Math.min(values.getNumPartitions(), dataset.target().parallelism());
      JavaRDD<InternalRow> entries =
          values
              .coalesce(tasks)
              .mapPartitions(
                  new EntryRows(
                      broadcastTable, TableDataPath.of(table), column.type(), routes, progress));
      LongAccumulator fileGroups = progress.fileGroups();
      return sorted(entries, sink.fileGroups())
          .mapPartitions(rows -> write(sink, routes, rows, fileGroups))
          .collect();
    } finally {
      broadcastTable.destroy();
    }
  }

  private JavaRDD<InternalRow> sorted(JavaRDD<InternalRow> entries, int fileGroups) {
    Dataset<Row> rows = spark.internalCreateDataFrame(entries.rdd(), ENTRY, false);
    return rows.repartition(fileGroups, new Column(ROUTE))
        .sortWithinPartitions(KEY)
        .queryExecution()
        .toRdd()
        .toJavaRDD();
  }

  private static Iterator<WrittenFile> write(
      EntrySink sink, FileGroupRoutes routes, Iterator<InternalRow> rows, LongAccumulator written)
      throws IOException {
    TaskContext task = TaskContext.get();
    String token =
        String.format("%d-%d-%d", task.partitionId(), task.stageId(), task.taskAttemptId());
    WrittenFile file =
        sink.write(task.partitionId(), new Keys(rows, routes.route(task.partitionId())), token);
    written.add(1);
    return file == null ? Collections.emptyIterator() : List.of(file).iterator();
  }

  private static final class Keys implements Iterator<byte[]> {
    private final Iterator<InternalRow> rows;
    private final int route;

    /**
     * @param route what all rows must have: an entry in another file group would not be found
     */
    Keys(Iterator<InternalRow> rows, int route) {
      this.rows = rows;
      this.route = route;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public byte[] next() {
      InternalRow row = rows.next();
      if (row.getInt(0) != route) {
        throw new IllegalStateException(
            "Cannot write index: Spark did not partition by file group");
      }
      return row.getBinary(1);
    }
  }
}
