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

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** One run of a query: its answer, and what it took to get it. */
final class Run {
  private final List<String> sortedRows;
  private final double milliseconds;
  private final long files;
  private final TaskInput.Total input;
  private final String scan;

  private Run(
      List<String> sortedRows,
      double milliseconds,
      long files,
      TaskInput.Total input,
      String scan) {
    this.sortedRows = sortedRows;
    this.milliseconds = milliseconds;
    this.files = files;
    this.input = input;
    this.scan = scan;
  }

  /**
   * Runs a query. The time is that of analysis, planning, index lookup and execution.
   *
   * @param input listens to this session, which runs nothing else meanwhile
   */
  static Run of(Query query, SparkSession spark, TaskInput input) throws InterruptedException {
    long start = System.nanoTime();
    Dataset<Row> answer = query.in(spark);
    List<Row> rows = answer.collectAsList();
    double milliseconds = (System.nanoTime() - start) / 1e6;

    ExecutedScan scan =
        ExecutedScan.of(answer)
            .orElseThrow(
                () ->
                    new IllegalStateException("Query '" + query.name() + "' has no Iceberg scan"));
    return new Run(
        rows.stream()
            .map(Row::toString)
            .sorted(Comparator.naturalOrder())
            .collect(Collectors.toList()),
        milliseconds,
        scan.files(),
        input.takeTotal(),
        scan.description());
  }

  List<String> sortedRows() {
    return sortedRows;
  }

  double milliseconds() {
    return milliseconds;
  }

  /** Data files that the tasks opened. */
  long files() {
    return files;
  }

  TaskInput.Total input() {
    return input;
  }

  /** The scan as EXPLAIN shows it. */
  String scan() {
    return scan;
  }
}
