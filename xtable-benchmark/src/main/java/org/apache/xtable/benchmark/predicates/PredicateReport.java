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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.xtable.benchmark.measure.BenchmarkSpark;
import org.apache.xtable.benchmark.measure.KeyTable;
import org.apache.xtable.benchmark.measure.Sizes;
import org.apache.xtable.benchmark.report.ReportTable;
import org.apache.xtable.benchmark.report.Section;
import org.apache.xtable.quickstart.TaskInput;

/** Part D. */
public final class PredicateReport {
  /** More than the fewest candidate files that an index is used for. */
  private static final int FILES = 40;

  private static final int[] PROJECTIONS = {1, 5, 15, 30, 45};
  private static final int COLUMNS = 50;

  private final SparkSession spark;
  private final Section section = new Section("predicates", "D. Predicates and projections");

  private PredicateReport(SparkSession spark) {
    this.spark = spark;
  }

  public static void main(String[] args) throws Exception {
    try (SparkSession spark = BenchmarkSpark.builder("predicates").getOrCreate()) {
      new PredicateReport(spark).run();
    }
  }

  private void run() throws Exception {
    section.note(
        String.format(
            "The same rows as Parquet files, as an Iceberg table, and as an Iceberg table with an"
                + " index: of the filtered column where that is an int, a long or a string, else"
                + " of the string column. Values come in no order, so that statistics prune"
                + " nothing. All columns are selected but the struct, unless said: where it is,"
                + " Iceberg reads row by row. Every row of an answer is made and dropped. Tables but that of three"
                + " rows are %d files. The last column tells whether the index was used, or the"
                + " code of the reason why not (see when-the-index-is-not-used.md).",
            FILES));
    filters(new SampleColumns(3), "three", 1);
    filters(new SampleColumns(Sizes.rows("predicate.rows", 100)), "many", FILES);
    ReportTable table =
        section.table(
            "projections",
            String.format("Projections of some of %d columns", COLUMNS),
            columns("order of rows", "filter", "columns"));
    projections(table, "unsorted", false);
    projections(table, "sorted", true);
  }

  private void filters(SampleColumns columns, String name, int files) throws Exception {
    List<SampleFilter> filters = SampleFilter.all(columns);
    Formats formats =
        new Formats(spark, name)
            .write(
                columns.rows(spark, files),
                filters.stream()
                    .map(SampleFilter::indexedColumn)
                    .distinct()
                    .collect(Collectors.toList()));
    ReportTable table =
        section.table(
            "filters-" + name,
            String.format("Filters, %,d rows", columns.rows()),
            columns("filter"));
    TaskInput input = BenchmarkSpark.listen(spark);
    for (SampleFilter filter : filters) {
      addRow(
          table,
          new FormatRace(formats, filter.indexedColumn(), input).run(filter::of),
          filter.name());
    }
    spark.sparkContext().removeSparkListener(input);
  }

  private void projections(ReportTable table, String order, boolean sorted) throws Exception {
    long rows = Sizes.rows("projection.rows", 100);
    Dataset<Row> wide =
        spark
            .range(0, rows, 1, FILES)
            .select(
                Stream.concat(
                        Stream.of(
                            functions
                                .expr("sha1(CAST(CAST(id AS STRING) AS BINARY))")
                                .as(KeyTable.KEY)),
                        IntStream.range(1, COLUMNS).mapToObj(PredicateReport::number))
                    .toArray(Column[]::new));
    Formats formats =
        new Formats(spark, order)
            .write(
                sorted
                    ? wide.repartitionByRange(FILES, functions.col(KeyTable.KEY))
                        .sortWithinPartitions(KeyTable.KEY)
                    : wide,
                List.of(KeyTable.KEY));
    TaskInput input = BenchmarkSpark.listen(spark);
    FormatRace race = new FormatRace(formats, KeyTable.KEY, input);
    for (String filter : new String[] {"true", "k = '" + KeyTable.key(rows / 2) + "'"}) {
      for (int count : PROJECTIONS) {
        addRow(
            table,
            race.run(all -> all.where(filter).selectExpr(Arrays.copyOf(wide.columns(), count))),
            order,
            filter.equals("true") ? "none" : "string =",
            Integer.toString(count));
      }
    }
    spark.sparkContext().removeSparkListener(input);
  }

  private static Column number(int column) {
    return functions
        .expr(String.format("CAST(id * %d %% 1000003 AS INT)", 7919 + 2 * column))
        .as("c" + column);
  }

  private void addRow(ReportTable table, List<Object> figures, String... query) throws Exception {
    List<Object> cells = new ArrayList<>(Arrays.asList((Object[]) query));
    cells.addAll(figures);
    table.row(cells.toArray());
    section.save();
    System.out.println(String.join(", ", query) + ": " + figures.get(figures.size() - 1));
  }

  private static String[] columns(String... ofQuery) {
    return Stream.concat(Arrays.stream(ofQuery), FormatRace.COLUMNS.stream())
        .toArray(String[]::new);
  }
}
