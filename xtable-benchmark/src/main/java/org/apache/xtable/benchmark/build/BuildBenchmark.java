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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.benchmark.measure.BenchmarkSpark;
import org.apache.xtable.benchmark.measure.IndexCopies;
import org.apache.xtable.benchmark.measure.KeyTable;
import org.apache.xtable.benchmark.measure.Race;
import org.apache.xtable.benchmark.measure.Sample;
import org.apache.xtable.benchmark.measure.Sizes;
import org.apache.xtable.benchmark.report.ReportTable;
import org.apache.xtable.benchmark.report.Section;

/** Part C. It leaves copies of an index for part B. */
public final class BuildBenchmark {
  /** One more is one per cent. */
  private static final int FILES = 100;

  /** Fewer and larger files, as tables of such columns have. */
  private static final int FILES_OF_REPEATED = 20;

  private static final int DISTINCT_OF_REPEATED = 1000;
  private static final int SYNCS_UNTIL_COPY = 3;
  private static final String OURS_SAME = "ours, the same rows as Hudi";
  private static final String OURS_LARGE = "ours, the large table";
  private static final String HUDI = "Hudi";

  private final SparkSession spark;
  private final long entries = Sizes.rows("entries", 10 * FILES);
  private final int buildRuns = Sizes.count("build.runs");
  private final Section section = new Section("build", "C. Build, update, size");
  private final ReportTable builds =
      section.table("build", "Build", "what", "rows", "ms", "rows/s", "bytes/row");
  private final ReportTable sizes =
      section.table("sizes", "Size", "index", "rows", "files", "MB", "data MB", "% of data");
  private final ReportTable increments =
      section.table(
          "increments",
          "Sync of one per cent more files",
          "table",
          "rows",
          "rows added",
          "build ms",
          "update ms");

  private BuildBenchmark(SparkSession spark) {
    this.spark = spark;
  }

  public static void main(String[] args) throws Exception {
    try (SparkSession spark =
        BenchmarkSpark.builder("build")
            .config(
                "spark.sql.extensions",
                BenchmarkSpark.EXTENSIONS
                    + ",org.apache.spark.sql.hudi.HoodieSparkSessionExtension")
            .config(
                "spark.sql.catalog.spark_catalog",
                "org.apache.spark.sql.hudi.catalog.HoodieCatalog")
            .getOrCreate()) {
      new BuildBenchmark(spark).run();
    }
  }

  private void run() throws Exception {
    section.note(
        String.format(
            "Columns of 40 hexadecimal digits, each value unique unless said otherwise. A build of"
                + " %,d rows takes too long for many runs, so builds are run %d times. Hudi builds"
                + " a record index and a secondary index, as its secondary index needs both; it"
                + " does so on fewer rows, and so do we, by turns, for the comparison. Sizes are"
                + " of everything below `.hoodie` for ours, of the two indexes alone for Hudi's.",
            entries, buildRuns));
    againstHudi();
    KeyTable tenth = new KeyTable(spark, "tenth", Long.MAX_VALUE).append(entries / 10, FILES);
    Sample tenthBuild = Sample.of(List.of(milliseconds(tenth::sync)));
    KeyTable large = new KeyTable(spark, "large", Long.MAX_VALUE).append(entries, FILES);
    Sample largeBuild = buildOurs(large);
    IndexCopies.COMPACTED.takeFrom(large);
    repeated();
    long small = Math.max(1, entries / 10 / FILES);
    increments("x", tenth, small, tenthBuild);
    increments("10x", large, entries / FILES, largeBuild);
    increments("10x, the rows of x", large, small, largeBuild);
  }

  private void againstHudi() throws Exception {
    long rows = Sizes.rows("hudi.rows", FILES);
    KeyTable ours = new KeyTable(spark, "same", Long.MAX_VALUE).append(rows, FILES);
    HudiTable hudi = new HudiTable(spark);
    hudi.write(rows, FILES);
    Map<String, List<Double>> times =
        new Race<Double>()
            .enter(
                OURS_SAME,
                round -> {
                  ours.deleteIndex();
                  return milliseconds(ours::sync);
                })
            .enter(
                HUDI,
                round -> {
                  hudi.removeIndexes();
                  return milliseconds(hudi::buildIndexes);
                })
            .run(1, buildRuns);
    addBuild(OURS_SAME, rows, Sample.of(times.get(OURS_SAME)), ours.indexBytes());
    addBuild(HUDI, rows, Sample.of(times.get(HUDI)), hudi.indexBytes());
    addSize(OURS_SAME, ours);
    sizes.row(
        "Hudi's record and secondary index",
        rows,
        null,
        hudi.indexBytes() / 1e6,
        hudi.dataBytes() / 1e6,
        100.0 * hudi.indexBytes() / hudi.dataBytes());
    section.save();
  }

  private Sample buildOurs(KeyTable table) throws Exception {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < buildRuns; i++) {
      table.deleteIndex();
      times.add(milliseconds(table::sync));
    }
    Sample sample = Sample.of(times);
    addBuild(OURS_LARGE, table.rows(), sample, table.indexBytes());
    addSize(OURS_LARGE, table);
    section.save();
    return sample;
  }

  private void repeated() throws Exception {
    KeyTable table =
        new KeyTable(spark, "repeated", DISTINCT_OF_REPEATED).append(entries, FILES_OF_REPEATED);
    Sample sample = Sample.of(List.of(milliseconds(table::sync)));
    addBuild("ours, 1,000 distinct values", table.rows(), sample, table.indexBytes());
    addSize("ours, 1,000 distinct values", table);
    section.save();
  }

  private void increments(String name, KeyTable table, long rowsAdded, Sample build)
      throws Exception {
    long rows = table.rows();
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < Math.max(Sizes.runs(), SYNCS_UNTIL_COPY); i++) {
      table.append(rowsAdded, 1);
      times.add(milliseconds(table::sync));
      if (name.equals("10x") && i == SYNCS_UNTIL_COPY - 1) {
        IndexCopies.THREE_SYNCS_MORE.takeFrom(table);
      }
    }
    increments.row(name, rows, rowsAdded, build, Sample.of(times));
    section.save();
    System.out.printf("Updated %s: %.0f ms%n", name, Sample.of(times).median());
  }

  private void addBuild(String what, long rows, Sample sample, long indexBytes) {
    builds.row(what, rows, sample, rows / sample.median() * 1000, indexBytes / (double) rows);
    System.out.printf("Built %s: %,d rows in %,.0f ms%n", what, rows, sample.median());
  }

  private void addSize(String index, KeyTable table) {
    sizes.row(
        index,
        table.rows(),
        table.dataFiles(),
        table.indexBytes() / 1e6,
        table.dataBytes() / 1e6,
        100.0 * table.indexBytes() / table.dataBytes());
  }

  private static double milliseconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e6;
  }
}
