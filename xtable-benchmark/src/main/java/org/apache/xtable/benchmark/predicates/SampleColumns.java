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

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.benchmark.measure.KeyTable;

/** Rows with a column of each kind, whose values come in no order. */
final class SampleColumns {
  /**
   * Prime, and no divisor of a number of rows, so that {@code id * PRIME % rows} is in no order.
   */
  private static final long PRIME = 7_368_787;

  /** All but {@code st}: where a struct is selected, Iceberg reads row by row. */
  private static final String[] FLAT = {"id", "i", "ni", "b", "l", "d", "f", "s", "ts", "`a.b`"};

  private final long rows;

  SampleColumns(long rows) {
    this.rows = rows;
  }

  long rows() {
    return rows;
  }

  Dataset<Row> rows(SparkSession spark, int files) {
    return spark
        .range(0, rows, 1, files)
        .selectExpr("id", "CAST(id * " + PRIME + " % " + rows + " AS INT) AS i")
        .selectExpr(
            "id",
            "i",
            "IF(i % 5 = 0, NULL, i) AS ni",
            "i % 2 = 0 AS b",
            "CAST(i AS BIGINT) AS l",
            "CAST(i AS DOUBLE) AS d",
            "CAST(i AS FLOAT) AS f",
            "sha1(CAST(CAST(i AS STRING) AS BINARY)) AS s",
            "timestamp_seconds(1700000000 + i) AS ts",
            "named_struct('x', i, 'y', CAST(i AS STRING)) AS st",
            "i AS `a.b`");
  }

  static String[] flat() {
    return FLAT.clone();
  }

  /** A value that {@code i} has, and its multiples of 5 have not in {@code ni}. */
  long someValue() {
    return rows > 10 ? rows / 2 + 1 : 1;
  }

  String someString() {
    return string(someValue());
  }

  static String string(long i) {
    return KeyTable.key(i);
  }
}
