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
package org.apache.xtable.benchmark.predicates;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.xtable.benchmark.measure.BenchmarkSpark;
import org.apache.xtable.benchmark.measure.IndexSync;
import org.apache.xtable.benchmark.measure.Sizes;

/**
 * The same rows as a folder of Parquet files and as Iceberg tables, one for each indexed column, as
 * a table has one index.
 */
final class Formats {
  private final SparkSession spark;
  private final String name;

  Formats(SparkSession spark, String name) {
    this.spark = spark;
    this.name = name;
  }

  Formats write(Dataset<Row> rows, List<String> indexedColumns) throws TableAlreadyExistsException {
    rows.write().mode(SaveMode.Overwrite).parquet(folder());
    for (String column : indexedColumns) {
      rows.writeTo(table(column))
          .using("iceberg")
          .tableProperty("write.distribution-mode", "none")
          .create();
      IndexSync.of(spark, BenchmarkSpark.table(spark, table(column)), column);
    }
    return this;
  }

  Supplier<Dataset<Row>> parquet() {
    return () -> spark.read().parquet(folder());
  }

  Supplier<Dataset<Row>> iceberg(String indexedColumn, boolean withIndex) {
    return () -> {
      spark.conf().set(BenchmarkSpark.INDEX_ENABLED, withIndex);
      return spark.table(table(indexedColumn));
    };
  }

  private String folder() {
    Path folder = Sizes.directory().resolve("parquet").resolve(name);
    return folder.toUri().toString();
  }

  private String table(String indexedColumn) {
    return BenchmarkSpark.CATALOG + ".predicates." + name + "_by_" + indexedColumn;
  }
}
