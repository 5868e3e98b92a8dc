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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Table;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.benchmark.measure.BenchmarkSpark;
import org.apache.xtable.benchmark.measure.Execution;
import org.apache.xtable.benchmark.measure.HudiLookup;
import org.apache.xtable.benchmark.measure.Race;
import org.apache.xtable.benchmark.measure.Sizes;
import org.apache.xtable.benchmark.report.ReportTable;
import org.apache.xtable.benchmark.report.Section;
import org.apache.xtable.index.iceberg.TableDataPath;
import org.apache.xtable.quickstart.TaskInput;

/** Part A. */
public final class QueryBenchmark {
  private static final String PLAIN = "plain Iceberg";
  private static final String BLOOM = "bloom filters";
  private static final String INDEX = "index";
  private static final String HUDI = "Hudi's reader";
  private static final String LIMIT = "limit";

  /**
   * Tables of more files have a twentieth of the rows a file, so that writing them fits the time.
   */
  private static final int MANY_FILES = 1000;

  private final SparkSession spark;
  private final Section section = new Section("queries", "A. Queries");
  private final ReportTable times =
      section.table("queries", "Milliseconds", "files", "query", PLAIN, BLOOM, INDEX, HUDI, LIMIT);
  private final ReportTable work =
      section.table(
          "work",
          "What was read, of the last run",
          "files",
          "query",
          "contestant",
          "rows",
          "files read",
          "MB read",
          "records read");

  private QueryBenchmark(SparkSession spark) {
    this.spark = spark;
  }

  public static void main(String[] args) throws Exception {
    try (SparkSession spark = BenchmarkSpark.builder("queries").getOrCreate()) {
      new QueryBenchmark(spark).run();
    }
  }

  private void run() throws Exception {
    long rows = Sizes.rows("rows", 10);
    long rowsOfMany = Math.max(10, rows / 20);
    section.note(
        String.format(
            "Tables of %,d rows a file, or %,d where there are more than %,d files. Each value of"
                + " the queried column is in 5 files, and no file's minimum and maximum rule"
                + " anything out. *%s*: the same index, looked up by Hudi's reader in a Spark job,"
                + " the files staged as a task set. *%s*: a scan that is handed exactly the files"
                + " that match. Each run asks for other keys than the one before. All contestants"
                + " gave the same answers.",
            rows, rowsOfMany, MANY_FILES, HUDI, LIMIT));
    for (String files : Sizes.list("files")) {
      int count = Integer.parseInt(files);
      NeedleTables tables = new NeedleTables(spark, count, count > MANY_FILES ? rowsOfMany : rows);
      long start = System.nanoTime();
      tables.write();
      System.out.printf(
          "Wrote 2 tables of %,d files of %,d rows, and an index: %.1f s%n",
          count, tables.rowsPerFile(), (System.nanoTime() - start) / 1e9);
      run(tables);
    }
  }

  private void run(NeedleTables tables) throws Exception {
    TaskInput input = BenchmarkSpark.listen(spark);
    Table table = BenchmarkSpark.table(spark, tables.plain());
    Configuration conf = spark.sessionState().newHadoopConf();
    try (HudiLookup lookup =
        HudiLookup.inSpark(
            JavaSparkContext.fromSparkContext(spark.sparkContext()),
            conf,
            TableDataPath.of(table).location(),
            NeedleTables.KEY)) {
      Map<String, Contestant> contestants = new LinkedHashMap<>();
      contestants.put(PLAIN, new TableScan(spark, tables.plain(), false));
      contestants.put(BLOOM, new TableScan(spark, tables.withBloomFilters(), false));
      contestants.put(INDEX, new TableScan(spark, tables.plain(), true));
      contestants.put(
          HUDI, new HudiReader(lookup, table, new StagedTasks(spark, tables.plain(), table)));
      contestants.put(LIMIT, new Oracle(tables, new StagedTasks(spark, tables.plain(), table)));
      for (Map.Entry<String, IntFunction<NeedleQuery>> kind : kinds(tables).entrySet()) {
        run(tables, kind.getKey(), kind.getValue(), contestants, input);
      }
    }
    spark.sparkContext().removeSparkListener(input);
  }

  private static Map<String, IntFunction<NeedleQuery>> kinds(NeedleTables tables) {
    Map<String, IntFunction<NeedleQuery>> kinds = new LinkedHashMap<>();
    kinds.put("needle", round -> NeedleQuery.in(tables, 1, round));
    kinds.put("miss", NeedleQuery::miss);
    kinds.put("IN 100", round -> NeedleQuery.in(tables, 100, round));
    kinds.put("IN 10,000", round -> NeedleQuery.in(tables, 10_000, round));
    kinds.put(
        "needle AND partition", round -> NeedleQuery.in(tables, 1, round).inItsPartition(tables));
    return kinds;
  }

  private void run(
      NeedleTables tables,
      String kind,
      IntFunction<NeedleQuery> query,
      Map<String, Contestant> contestants,
      TaskInput input)
      throws Exception {
    Race<Execution> race = new Race<>();
    contestants.forEach(
        (name, contestant) ->
            race.enter(
                name, round -> Execution.collect(contestant.prepare(query.apply(round)), input)));
    Map<String, List<Execution>> results = race.run();
    requireSameAnswers(kind, results);
    times.row(
        tables.files(),
        kind,
        Execution.times(results.get(PLAIN)),
        Execution.times(results.get(BLOOM)),
        Execution.times(results.get(INDEX)),
        Execution.times(results.get(HUDI)),
        Execution.times(results.get(LIMIT)));
    results.forEach(
        (name, runs) -> {
          Execution last = runs.get(runs.size() - 1);
          work.row(
              tables.files(),
              kind,
              name,
              last.sortedRows().size(),
              last.files(),
              last.input().bytes() / 1e6,
              last.input().records());
        });
    section.save();
    System.out.printf(
        "%,d files, %s: %s%n",
        tables.files(),
        kind,
        results.entrySet().stream()
            .map(e -> String.format("%s %.0f", e.getKey(), Execution.times(e.getValue()).median()))
            .collect(Collectors.joining(", ")));
  }

  private static void requireSameAnswers(String kind, Map<String, List<Execution>> results) {
    List<Execution> expected = results.get(PLAIN);
    results.forEach(
        (name, runs) -> {
          for (int i = 0; i < runs.size(); i++) {
            if (!runs.get(i).sortedRows().equals(expected.get(i).sortedRows())) {
              throw new IllegalStateException(
                  String.format(
                      "'%s' has another answer by %s: %d rows instead of %d",
                      kind,
                      name,
                      runs.get(i).sortedRows().size(),
                      expected.get(i).sortedRows().size()));
            }
          }
        });
  }
}
