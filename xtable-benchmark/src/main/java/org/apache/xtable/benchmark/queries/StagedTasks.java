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
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.ScanTaskSetManager;
import org.apache.iceberg.spark.SparkReadOptions;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Scans of exactly the given files: tasks are staged as a set, which a scan names in its options.
 */
final class StagedTasks {
  private final SparkSession spark;
  private final String tableName;
  private final Table table;
  private String stagedLast;

  StagedTasks(SparkSession spark, String tableName, Table table) {
    this.spark = spark;
    this.tableName = tableName;
    this.table = table;
  }

  /**
   * Stages tasks; those that were staged before are forgotten.
   *
   * @return loads the table as a scan of the tasks
   */
  Supplier<Dataset<Row>> stage(List<FileScanTask> tasks) {
    if (stagedLast != null) {
      ScanTaskSetManager.get().removeTasks(table, stagedLast);
      stagedLast = null;
    }
    if (tasks.isEmpty()) {
      // There is no empty set of tasks.
      return () -> spark.createDataFrame(List.of(), spark.table(tableName).schema());
    }
    String id = UUID.randomUUID().toString();
    ScanTaskSetManager.get().stageTasks(table, id, tasks);
    stagedLast = id;
    return () ->
        spark
            .read()
            .format("iceberg")
            .option(SparkReadOptions.SCAN_TASK_SET_ID, id)
            .load(tableName);
  }
}
