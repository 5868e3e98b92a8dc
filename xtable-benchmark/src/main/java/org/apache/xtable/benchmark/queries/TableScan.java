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

import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.benchmark.measure.BenchmarkSpark;

/** An ordinary query of a table, with the index turned on or off. */
final class TableScan implements Contestant {
  private final SparkSession spark;
  private final String table;
  private final boolean withIndex;

  TableScan(SparkSession spark, String table, boolean withIndex) {
    this.spark = spark;
    this.table = table;
    this.withIndex = withIndex;
  }

  @Override
  public Supplier<Dataset<Row>> prepare(NeedleQuery query) {
    spark.conf().set(BenchmarkSpark.INDEX_ENABLED, withIndex);
    return () -> query.of(spark.table(table));
  }
}
