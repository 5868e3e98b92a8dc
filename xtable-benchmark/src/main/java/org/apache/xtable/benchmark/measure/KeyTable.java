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
package org.apache.xtable.benchmark.measure;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.io.FileUtils;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.functions;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.iceberg.TableDataPath;
import org.apache.xtable.index.sync.TableSyncReport;

/**
 * An Iceberg table whose column {@value #KEY} holds the SHA-1 of the row's number as 40 hexadecimal
 * digits, and its index.
 */
public final class KeyTable {
  public static final String KEY = "k";

  private final SparkSession spark;
  private final String name;
  private final long distinctKeys;
  private long rows;

  /**
   * @param distinctKeys numbers of rows are taken modulo this
   */
  public KeyTable(SparkSession spark, String name, long distinctKeys) {
    this.spark = spark;
    this.name = BenchmarkSpark.CATALOG + ".keys." + name;
    this.distinctKeys = distinctKeys;
    spark.sql(
        String.format(
            "CREATE TABLE %s (id BIGINT, %s STRING, v DOUBLE) USING iceberg"
                + " TBLPROPERTIES ('write.distribution-mode'='none')",
            this.name, KEY));
  }

  /** The key of the row with a number. */
  public static String key(long number) {
    return DigestUtils.sha1Hex(Long.toString(number).getBytes(StandardCharsets.UTF_8));
  }

  /** Appends rows, whose numbers go on from those there are. */
  public KeyTable append(long count, int files) throws NoSuchTableException {
    spark
        .range(rows, rows + count, 1, files)
        .select(
            functions.col("id"),
            functions
                .sha1(functions.expr("CAST(CAST(id % " + distinctKeys + " AS STRING) AS BINARY)"))
                .as(KEY),
            functions.expr("rand(7)").as("v"))
        .writeTo(name)
        .append();
    rows += count;
    return this;
  }

  public long rows() {
    return rows;
  }

  public TableSyncReport sync() {
    return IndexSync.of(spark, table(), KEY);
  }

  /** What a user does to remove the index. */
  public void deleteIndex() throws IOException {
    FileUtils.deleteDirectory(indexFolder().toFile());
  }

  public Path indexFolder() {
    String dataPath = TableDataPath.of(table()).location();
    return Paths.get(URI.create(dataPath).getPath(), DataPath.INDEX_FOLDER);
  }

  public long indexBytes() {
    return FileUtils.sizeOfDirectory(indexFolder().toFile());
  }

  public long dataBytes() {
    return Long.parseLong(
        table().currentSnapshot().summary().get(SnapshotSummary.TOTAL_FILE_SIZE_PROP));
  }

  public long dataFiles() {
    return Long.parseLong(
        table().currentSnapshot().summary().get(SnapshotSummary.TOTAL_DATA_FILES_PROP));
  }

  private Table table() {
    return BenchmarkSpark.table(spark, name);
  }
}
