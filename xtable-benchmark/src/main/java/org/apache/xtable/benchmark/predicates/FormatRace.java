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
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.xtable.benchmark.measure.Execution;
import org.apache.xtable.benchmark.measure.Race;
import org.apache.xtable.benchmark.measure.Sample;
import org.apache.xtable.quickstart.TaskInput;
import org.apache.xtable.spark.extensions.XTableIndexes;

/** One query, of Parquet files, of an Iceberg table, and of one with an index. */
final class FormatRace {
  private static final String PARQUET = "Parquet";
  private static final String ICEBERG = "Iceberg";
  private static final String INDEX = "index";

  /** Columns of a row of the report, after those that name the query. */
  static final List<String> COLUMNS =
      List.of(
          "result rows",
          "Parquet ms",
          "Iceberg ms",
          "index ms",
          "Parquet records",
          "Iceberg records",
          "index records",
          "Parquet MB",
          "Iceberg MB",
          "index MB",
          "the index");

  private final Formats formats;
  private final String indexedColumn;
  private final TaskInput input;

  FormatRace(Formats formats, String indexedColumn, TaskInput input) {
    this.formats = formats;
    this.indexedColumn = indexedColumn;
    this.input = input;
  }

  /**
   * @return a cell for each of {@link #COLUMNS}
   */
  List<Object> run(Function<Dataset<Row>, Dataset<Row>> query) throws Exception {
    Supplier<Dataset<Row>> parquet = () -> query.apply(formats.parquet().get());
    Supplier<Dataset<Row>> iceberg = () -> query.apply(formats.iceberg(indexedColumn, false).get());
    Supplier<Dataset<Row>> index = () -> query.apply(formats.iceberg(indexedColumn, true).get());
    long rows;
    try {
      rows = rows(parquet);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      return failed(e);
    }
    requireEqual(rows, rows(iceberg));
    requireEqual(rows, rows(index));
    String use = use(index.get());
    Map<String, List<Execution>> runs =
        new Race<Execution>()
            .enter(PARQUET, round -> Execution.drain(parquet, input))
            .enter(ICEBERG, round -> Execution.drain(iceberg, input))
            .enter(INDEX, round -> Execution.drain(index, input))
            .run();
    return List.of(
        rows,
        times(runs, PARQUET),
        times(runs, ICEBERG),
        times(runs, INDEX),
        last(runs, PARQUET).records(),
        last(runs, ICEBERG).records(),
        last(runs, INDEX).records(),
        last(runs, PARQUET).bytes() / 1e6,
        last(runs, ICEBERG).bytes() / 1e6,
        last(runs, INDEX).bytes() / 1e6,
        use);
  }

  /** Counts in the driver what tasks count, so that the query stays as it is. */
  private long rows(Supplier<Dataset<Row>> query) throws Exception {
    Dataset<Row> rows = query.get();
    return rows.queryExecution().toRdd().count();
  }

  private static void requireEqual(long expected, long found) {
    if (expected != found) {
      throw new IllegalStateException(
          "A query has " + expected + " rows in Parquet files and " + found + " in Iceberg");
    }
  }

  private static List<Object> failed(Exception e) {
    String message = e instanceof AnalysisException ? e.getMessage() : e.toString();
    String error = "error: " + message.substring(0, Math.min(message.length(), 90)) + "…";
    return COLUMNS.stream()
        .map(column -> column.equals("the index") ? error : "–")
        .collect(Collectors.toList());
  }

  private static Sample times(Map<String, List<Execution>> runs, String format) {
    return Execution.times(runs.get(format));
  }

  private static TaskInput.Total last(Map<String, List<Execution>> runs, String format) {
    List<Execution> all = runs.get(format);
    return all.get(all.size() - 1).input();
  }

  /** The code of the reason where the index is not used. */
  private static String use(Dataset<Row> query) {
    return XTableIndexes.explain(query).stream()
        .map(scan -> scan.isUsed() ? "used" : scan.reasonCode().orElseThrow())
        .findFirst()
        .orElse("no scan");
  }
}
