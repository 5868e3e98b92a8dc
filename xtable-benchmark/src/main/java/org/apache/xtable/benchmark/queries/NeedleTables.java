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
package org.apache.xtable.benchmark.queries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.functions;
import org.apache.xtable.benchmark.measure.BenchmarkSpark;
import org.apache.xtable.benchmark.measure.IndexSync;

/**
 * Two Iceberg tables of the same rows: one with an index of the column {@value #KEY}, the other
 * with Parquet bloom filters of it.
 *
 * <p>Row {@code i} is the {@code i}th of its table, in file {@code i / rowsPerFile}, and has the
 * key {@code sha1(i % distinctKeys)}: 40 hexadecimal digits in no order, so that every file spans
 * all of them and min/max statistics prune nothing. Each key is in {@value #FILES_OF_A_KEY} files,
 * each of another partition.
 */
final class NeedleTables {
  static final String KEY = "k";
  static final String PARTITION = "p";
  static final int FILES_OF_A_KEY = 5;
  private static final int PARTITIONS = 10;
  private static final String ID = "id";

  private final SparkSession spark;
  private final int files;
  private final long rowsPerFile;

  /**
   * @param files a multiple of 10
   */
  NeedleTables(SparkSession spark, int files, long rowsPerFile) {
    if (files % PARTITIONS != 0) {
      throw new IllegalArgumentException(
          "Cannot make a table of " + files + " files: expected a multiple of " + PARTITIONS);
    }
    this.spark = spark;
    this.files = files;
    this.rowsPerFile = rowsPerFile;
  }

  void write() throws NoSuchTableException {
    write(plain(), Map.of());
    IndexSync.of(spark, BenchmarkSpark.table(spark, plain()), KEY);
    write(
        withBloomFilters(),
        Map.of(
            "write.parquet.bloom-filter-enabled.column." + KEY,
            "true",
            "write.parquet.bloom-filter-max-bytes",
            Long.toString(bloomFilterBytes())));
  }

  private void write(String name, Map<String, String> properties) throws NoSuchTableException {
    spark.sql("DROP TABLE IF EXISTS " + name + " PURGE");
    spark.sql(
        String.format(
            "CREATE TABLE %s (%s BIGINT, %s STRING, %s INT) USING iceberg PARTITIONED BY (%s)",
            name, ID, KEY, PARTITION, PARTITION));
    spark.sql("ALTER TABLE " + name + " SET TBLPROPERTIES ('write.distribution-mode'='none')");
    properties.forEach(
        (key, value) ->
            spark.sql(
                String.format("ALTER TABLE %s SET TBLPROPERTIES ('%s'='%s')", name, key, value)));
    spark
        .range(0, files * rowsPerFile, 1, files)
        .select(
            functions.col(ID),
            functions
                .sha1(functions.expr("CAST(CAST(id % " + distinctKeys() + " AS STRING) AS BINARY)"))
                .as(KEY),
            functions.expr("CAST(id DIV " + rowsOfPartition() + " AS INT)").as(PARTITION))
        .writeTo(name)
        .append();
  }

  /**
   * The size, a power of two, at which a split block bloom filter of a file's keys gives 1 % false
   * positives; the formula is that of parquet-mr's BlockSplitBloomFilter. Iceberg's default is 1
   * MiB, whatever a file's number of keys, which queries would have to read.
   */
  private long bloomFilterBytes() {
    double bits = -8 * rowsPerFile / Math.log(1 - Math.pow(0.01, 1.0 / 8));
    long bytes = Math.max(32, (long) Math.ceil(bits / 8));
    return bytes == Long.highestOneBit(bytes) ? bytes : 2 * Long.highestOneBit(bytes);
  }

  /** The name of the table that has the index, and nothing else. */
  String plain() {
    return BenchmarkSpark.CATALOG + ".needle.plain_" + files;
  }

  String withBloomFilters() {
    return BenchmarkSpark.CATALOG + ".needle.bloom_" + files;
  }

  int files() {
    return files;
  }

  long rowsPerFile() {
    return rowsPerFile;
  }

  /** Keys are those of the numbers below this one. */
  long distinctKeys() {
    return files / FILES_OF_A_KEY * rowsPerFile;
  }

  /** A partition that has the key of a number. */
  int partitionOf(long keyNumber) {
    return Math.toIntExact(keyNumber / rowsOfPartition());
  }

  private long rowsOfPartition() {
    return files / PARTITIONS * rowsPerFile;
  }

  /** The scan tasks of the plain table by the number of their file. */
  Map<Long, FileScanTask> tasks(Expression filter) {
    Table table = BenchmarkSpark.table(spark, plain());
    int id = table.schema().findField(ID).fieldId();
    Map<Long, FileScanTask> tasks = new TreeMap<>();
    try (CloseableIterable<FileScanTask> planned =
        table.newScan().filter(filter).includeColumnStats(List.of(ID)).planFiles()) {
      for (FileScanTask task : planned) {
        ByteBuffer lowest = task.file().lowerBounds().get(id);
        long firstRow = Conversions.fromByteBuffer(Types.LongType.get(), lowest);
        tasks.put(firstRow / rowsPerFile, task);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return tasks;
  }

  /** The numbers of the files that have the key of a number. */
  long[] filesOf(long keyNumber) {
    long[] numbers = new long[FILES_OF_A_KEY];
    for (int i = 0; i < FILES_OF_A_KEY; i++) {
      numbers[i] = (keyNumber + i * distinctKeys()) / rowsPerFile;
    }
    return numbers;
  }
}
