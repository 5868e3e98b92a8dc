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

import org.apache.spark.executor.InputMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/**
 * Adds up what the tasks of one query at a time read.
 *
 * <p>Spark delivers events in order, later than they happen: the end of a query comes after the end
 * of its last task.
 */
public final class TaskInput extends SparkListener {
  private int endedQueries;
  private long records;
  private long bytes;

  /** Waits for the end of the query that was just run, and begins to count for the next one. */
  public synchronized Total takeTotal() throws InterruptedException {
    while (endedQueries == 0) {
      wait();
    }
    endedQueries--;
    Total total = new Total(records, bytes);
    records = 0;
    bytes = 0;
    return total;
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd taskEnd) {
    InputMetrics input = taskEnd.taskMetrics().inputMetrics();
    records += input.recordsRead();
    bytes += input.bytesRead();
  }

  @Override
  public synchronized void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionEnd) {
      endedQueries++;
      notifyAll();
    }
  }

  /** What the tasks of one query read. */
  public static final class Total {
    private final long records;
    private final long bytes;

    private Total(long records, long bytes) {
      this.records = records;
      this.bytes = bytes;
    }

    public long records() {
      return records;
    }

    public long bytes() {
      return bytes;
    }
  }
}
