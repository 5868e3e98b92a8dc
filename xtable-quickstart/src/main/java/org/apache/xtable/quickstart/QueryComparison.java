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
package org.apache.xtable.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.sql.SparkSession;

/**
 * Runs the queries with and without the index and prints what both ways took.
 *
 * <p>Exits with 1 if an answer differs or the index was not used.
 */
public final class QueryComparison {
  private static final String ENABLED = "spark.xtable.index.pruning.enabled";
  private static final int RUNS = 5;

  private final SparkSession spark;
  private final TaskInput input;

  private QueryComparison(SparkSession spark, TaskInput input) {
    this.spark = spark;
    this.input = input;
  }

  /**
   * @param args the warehouse
   */
  public static void main(String[] args) throws InterruptedException {
    List<Comparison> comparisons;
    try (SparkSession spark =
        LocalSpark.builder("quickstart: compare queries", new Customers(args[0]))
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
                    + "org.apache.xtable.spark.extensions.XTableSparkSessionExtensions")
            .getOrCreate()) {
      List<Query> queries = Query.all(spark);
      TaskInput input = new TaskInput();
      spark.sparkContext().addSparkListener(input);
      comparisons = new QueryComparison(spark, input).compare(queries);
    }
    System.out.println(ComparisonTable.of(comparisons));
    List<String> faults =
        comparisons.stream()
            .flatMap(c -> c.faults().stream())
            .distinct()
            .collect(Collectors.toList());
    faults.forEach(fault -> System.out.println("FAULT: " + fault));
    if (!faults.isEmpty()) {
      System.exit(1);
    }
    System.out.println("All answers are the same with and without the index.");
  }

  private List<Comparison> compare(List<Query> queries) throws InterruptedException {
    for (Query query : queries) {
      run(query, false);
      run(query, true);
    }
    // Each decision has been logged once; more of the same lines would tell nothing new.
    Configurator.setLevel("org.apache.xtable", Level.WARN);
    List<Comparison> comparisons = new ArrayList<>();
    for (Query query : queries) {
      Comparison comparison = new Comparison(query);
      for (int i = 0; i < RUNS; i++) {
        comparison.add(run(query, false), run(query, true));
      }
      comparisons.add(comparison);
    }
    return comparisons;
  }

  private Run run(Query query, boolean withIndex) throws InterruptedException {
    // The same as SET in SQL, which would count as a query of its own.
    spark.conf().set(ENABLED, withIndex);
    return Run.of(query, spark, input);
  }
}
