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

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A kind of filter, or of projection.
 *
 * <p>Immutable.
 */
final class SampleFilter {
  private final String name;
  private final String condition;
  private final String[] projection;
  private final String indexedColumn;

  private SampleFilter(String name, String condition, String[] projection, String indexedColumn) {
    this.name = name;
    this.condition = condition;
    this.projection = projection;
    this.indexedColumn = indexedColumn;
  }

  private static SampleFilter where(String name, String condition) {
    return new SampleFilter(name, condition, SampleColumns.flat(), "s");
  }

  private SampleFilter indexedBy(String column) {
    return new SampleFilter(name, condition, projection, column);
  }

  private SampleFilter selecting(String... columns) {
    return new SampleFilter(name, condition, columns, indexedColumn);
  }

  static List<SampleFilter> all(SampleColumns columns) {
    long n = columns.someValue();
    String s = columns.someString();
    String time = "timestamp_seconds(" + (1_700_000_000L + n) + ")";
    String late = "timestamp_seconds(" + (1_700_000_000L + columns.rows() * 99 / 100) + ")";
    return List.of(
        where("no filter", "true"),
        where("int =", "i = " + n).indexedBy("i"),
        where("int IN (3)", "i IN (" + n + ", 0, -1)").indexedBy("i"),
        where("nullable int =", "ni = " + n).indexedBy("ni"),
        where("nullable int IS NOT NULL", "ni IS NOT NULL").indexedBy("ni"),
        where("nullable int IS NULL", "ni IS NULL").indexedBy("ni"),
        where("boolean =", "b = true"),
        where("long =", "l = " + n + "L").indexedBy("l"),
        where("double =", "d = " + n + "D"),
        where("float =", "f = CAST(" + n + " AS FLOAT)"),
        where("string =", "s = '" + s + "'"),
        where("string IN (3)", "s IN ('" + s + "', '" + SampleColumns.string(0) + "', 'none')"),
        where("string = OR string =", "s = '" + s + "' OR s = '" + SampleColumns.string(0) + "'"),
        where("string = OR int =", "s = '" + s + "' OR i = 0"),
        where("string = AND int >", "s = '" + s + "' AND i > 0"),
        where("string, no such value", "s = 'none'"),
        where("string >=", "s >= 'ff'"),
        where("string LIKE prefix", "s LIKE '" + s.substring(0, 8) + "%'"),
        where("string IS NOT NULL", "s IS NOT NULL"),
        where("upper(string) =", "upper(s) = upper('" + s + "')"),
        where("timestamp =", "ts = " + time),
        where("timestamp >=", "ts >= " + late),
        where(
            "timestamp = cast of a string", "ts = CAST(CAST(" + time + " AS STRING) AS TIMESTAMP)"),
        where("CAST(timestamp AS STRING) =", "CAST(ts AS STRING) = CAST(" + time + " AS STRING)"),
        where("missing column", "missing = 1"),
        where("nested field =, the struct selected", "st.x = " + n).selecting("*"),
        where("no filter, the struct selected", "true").selecting("*"),
        where("column with a dot in its name =", "`a.b` = " + n),
        where("string =, one column selected", "s = '" + s + "'").selecting("i"),
        where("string =, count(*)", "s = '" + s + "'").selecting("count(*)"),
        where("constant false", "1 = 0"),
        where("string = AND constant false", "s = '" + s + "' AND 1 = 0"),
        where("string = AND constant true", "s = '" + s + "' AND 1 = 1"));
  }

  String name() {
    return name;
  }

  /** The column whose index this filter is measured with. */
  String indexedColumn() {
    return indexedColumn;
  }

  Dataset<Row> of(Dataset<Row> table) {
    return table.where(condition).selectExpr(projection);
  }
}
