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
package org.apache.xtable.benchmark.build;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.xtable.benchmark.measure.KeyTable;
import org.apache.xtable.benchmark.measure.Sizes;

/**
 * A copy-on-write Hudi table of the rows of a {@link KeyTable}, whose indexes Hudi builds itself.
 * Its secondary index needs its record index. Hudi builds both when they are first turned on for a
 * write; here that write has no rows.
 */
final class HudiTable {
  private final SparkSession spark;
  private final Path withoutIndexes = Sizes.directory().resolve("hudi").resolve("without-indexes");
  private final Path indexed = Sizes.directory().resolve("hudi").resolve("indexed");

  HudiTable(SparkSession spark) {
    this.spark = spark;
  }

  void write(long rows, int files) {
    write(
            spark
                .range(0, rows, 1, files)
                .select(
                    functions.col("id"),
                    functions
                        .sha1(functions.expr("CAST(CAST(id AS STRING) AS BINARY)"))
                        .as(KeyTable.KEY),
                    functions.expr("rand(7)").as("v")))
        .mode(SaveMode.Overwrite)
        .save(withoutIndexes.toString());
  }

  /** Undoes {@link #buildIndexes}. */
  void removeIndexes() throws IOException {
    FileUtils.deleteDirectory(indexed.toFile());
    FileUtils.copyDirectory(withoutIndexes.toFile(), indexed.toFile());
  }

  void buildIndexes() {
    Dataset<Row> table = spark.read().format("hudi").load(indexed.toString());
    write(table.select("id", KeyTable.KEY, "v").limit(0))
        .option("hoodie.metadata.global.record.level.index.enable", true)
        .option("hoodie.metadata.index.secondary.enable", true)
        .option("hoodie.metadata.index.secondary.column", KeyTable.KEY)
        .mode(SaveMode.Append)
        .save(indexed.toString());
  }

  private static DataFrameWriter<Row> write(Dataset<Row> rows) {
    return rows.write()
        .format("hudi")
        .option("hoodie.table.name", "keys")
        .option("hoodie.datasource.write.operation", "bulk_insert")
        .option("hoodie.datasource.write.recordkey.field", "id")
        .option("hoodie.metadata.index.column.stats.enable", false);
  }

  /** Of the record index and the secondary index. */
  long indexBytes() {
    Path metadata = indexed.resolve(".hoodie").resolve("metadata");
    return bytes(metadata.resolve("record_index"))
        + bytes(metadata.resolve("secondary_index_" + KeyTable.KEY));
  }

  private static long bytes(Path folder) {
    return FileUtils.sizeOfDirectory(folder.toFile());
  }

  /** What the data files take, Hudi's metadata not counted. */
  long dataBytes() {
    return bytes(withoutIndexes) - bytes(withoutIndexes.resolve(".hoodie"));
  }
}
