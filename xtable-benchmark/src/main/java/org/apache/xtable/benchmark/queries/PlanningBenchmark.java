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

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.benchmark.measure.BenchmarkSpark;
import org.apache.xtable.benchmark.measure.KeyTable;
import org.apache.xtable.benchmark.measure.Race;
import org.apache.xtable.benchmark.measure.Sample;
import org.apache.xtable.benchmark.report.ReportTable;
import org.apache.xtable.benchmark.report.Section;

/** Part E: what queries pay for the extension, above all those that it cannot help. */
public final class PlanningBenchmark {
  private static final int FILES = 1000;
  private static final int ROWS_OF_FILE = 100;
  private static final int PLANS = 20;
  private static final String OFF = "turned off";
  private static final String ON = "turned on";

  private final SparkSession spark;
  private final Section section = new Section("planning", "E. Planning");
  private final ReportTable times =
      section.table("planning", "Milliseconds to plan a query", "table", "query", OFF, ON);

  private PlanningBenchmark(SparkSession spark) {
    this.spark = spark;
  }

  public static void main(String[] args) throws Exception {
    try (SparkSession spark = BenchmarkSpark.builder("planning").getOrCreate()) {
      new PlanningBenchmark(spark).run();
    }
  }

  private void run() throws Exception {
    section.note(
        String.format(
            "Analysis, optimization and physical planning of a query of a table of %,d files, not"
                + " its run; the mean of %d plans is one measurement. *%s* is"
                + " `spark.xtable.index.pruning.enabled=false`. What the index spares is not in"
                + " these figures, what it costs is.",
            FILES, PLANS, OFF));
    new KeyTable(spark, "unindexed", Long.MAX_VALUE).append((long) FILES * ROWS_OF_FILE, FILES);
    new KeyTable(spark, "indexed", Long.MAX_VALUE)
        .append((long) FILES * ROWS_OF_FILE, FILES)
        .sync();
    race("without index", "one key", "keys.unindexed", true);
    race("without index", "all rows", "keys.unindexed", false);
    race("with index", "one key", "keys.indexed", true);
    race("with index", "all rows", "keys.indexed", false);
    section.save();
  }

  private void race(String table, String query, String name, boolean isFiltered) throws Exception {
    String from = "SELECT * FROM " + BenchmarkSpark.CATALOG + "." + name;
    Map<String, List<Double>> results =
        new Race<Double>()
            .enter(OFF, round -> milliseconds(from, isFiltered, round, false))
            .enter(ON, round -> milliseconds(from, isFiltered, round, true))
            .run();
    times.row(table, query, Sample.of(results.get(OFF)), Sample.of(results.get(ON)));
  }

  /** The mean of several plans, each with another key. */
  private double milliseconds(String from, boolean isFiltered, int round, boolean isOn) {
    spark.conf().set(BenchmarkSpark.INDEX_ENABLED, isOn);
    long start = System.nanoTime();
    for (int plan = 0; plan < PLANS; plan++) {
      String key = KeyTable.key((long) round * PLANS + plan);
      String sql = isFiltered ? from + " WHERE " + KeyTable.KEY + " = '" + key + "'" : from;
      spark.sql(sql).queryExecution().executedPlan();
    }
    return (System.nanoTime() - start) / 1e6 / PLANS;
  }
}
