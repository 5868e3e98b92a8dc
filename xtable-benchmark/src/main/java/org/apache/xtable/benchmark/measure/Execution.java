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
package org.apache.xtable.benchmark.measure;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.xtable.quickstart.ExecutedScan;
import org.apache.xtable.quickstart.TaskInput;

/** One run of a query: its answer, and what it took to get it. */
public final class Execution {
  private final List<String> sortedRows;
  private final double milliseconds;
  private final long files;
  private final TaskInput.Total input;

  private Execution(
      List<String> sortedRows, double milliseconds, long files, TaskInput.Total input) {
    this.sortedRows = sortedRows;
    this.milliseconds = milliseconds;
    this.files = files;
    this.input = input;
  }

  /**
   * Collects a query's answer. The time is that of making the query, analysis, planning and
   * execution.
   *
   * @param input listens to the session, which runs nothing else meanwhile
   */
  public static Execution collect(Supplier<Dataset<Row>> query, TaskInput input)
      throws InterruptedException {
    long start = System.nanoTime();
    Dataset<Row> answer = query.get();
    List<Row> rows = answer.collectAsList();
    double milliseconds = (System.nanoTime() - start) / 1e6;
    return new Execution(
        rows.stream().map(Row::toString).sorted().collect(Collectors.toList()),
        milliseconds,
        ExecutedScan.of(answer).map(ExecutedScan::files).orElse(0L),
        input.takeTotal());
  }

  /**
   * Makes every row of a query's answer and drops it, as collecting many rows would measure the
   * driver. Neither rows nor files are known of such a run.
   */
  public static Execution drain(Supplier<Dataset<Row>> query, TaskInput input)
      throws InterruptedException {
    long start = System.nanoTime();
    query.get().write().format("noop").mode("overwrite").save();
    double milliseconds = (System.nanoTime() - start) / 1e6;
    return new Execution(List.of(), milliseconds, 0, input.takeTotal());
  }

  public List<String> sortedRows() {
    return sortedRows;
  }

  public double milliseconds() {
    return milliseconds;
  }

  /** Data files that the tasks opened. */
  public long files() {
    return files;
  }

  /** Records and bytes that the tasks read. */
  public TaskInput.Total input() {
    return input;
  }

  /** The times of several runs. */
  public static Sample times(List<Execution> runs) {
    return Sample.of(runs.stream().map(Execution::milliseconds).collect(Collectors.toList()));
  }
}
