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
package org.apache.xtable.spark;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.spark.ScanTaskSetManager;
import org.apache.iceberg.spark.SparkReadOptions;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.xtable.index.iceberg.CoveredFile;
import scala.Option;
import scala.collection.JavaConverters;

/**
 * Reads one column of data files in Spark tasks, with Iceberg's own Spark reader: renamed and
 * promoted columns, defaults, partition values and name mappings come out as in any query.
 *
 * <p>The files are read without their delete files, since the index holds deleted rows too: a
 * rollback brings them back.
 *
 * <p>Not thread-safe. Close it when the rows were read.
 */
final class ColumnReader implements AutoCloseable {
  static final int VALUE = 0;
  static final int FILE = 1;
  static final int POSITION = 2;

  private final SparkSession spark;
  private final Table table;
  private final String taskSetId = UUID.randomUUID().toString();

  ColumnReader(SparkSession spark, Table table) {
    this.spark = spark;
    this.table = table;
  }

  /**
   * The rows (value, file location, zero-based position in the file) of files. Rows of one row
   * group are in one partition, one after the other in ascending order of position.
   */
  JavaRDD<InternalRow> read(List<CoveredFile> files, String column) {
    ScanTaskSetManager.get()
        .stageTasks(
            table,
            taskSetId,
            files.stream().map(this::withoutDeletes).collect(Collectors.toList()));
    DataSourceV2Relation relation =
        DataSourceV2Relation.create(
            new SparkTable(table, false),
            Option.empty(),
            Option.empty(),
            new CaseInsensitiveStringMap(Map.of(SparkReadOptions.SCAN_TASK_SET_ID, taskSetId)));
    return Dataset.ofRows(spark, relation)
        .select(
            new Column(attribute(relation, column)),
            new Column(MetadataColumns.FILE_PATH.name()),
            new Column(MetadataColumns.ROW_POSITION.name()))
        .queryExecution()
        .toRdd()
        .toJavaRDD();
  }

  private FileScanTask withoutDeletes(CoveredFile file) {
    return new BaseFileScanTask(
        file.dataFile(),
        new DeleteFile[0],
        SchemaParser.toJson(table.schema()),
        PartitionSpecParser.toJson(table.specs().get(file.dataFile().specId())),
        ResidualEvaluator.unpartitioned(Expressions.alwaysTrue()));
  }

  /**
   * A column by its exact name. Not resolved by Spark: a session that is not case-sensitive, as by
   * default, cannot tell columns whose names differ only in case.
   */
  private static Attribute attribute(DataSourceV2Relation relation, String name) {
    return JavaConverters.seqAsJavaList(relation.output()).stream()
        .filter(attribute -> attribute.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("Cannot read column '" + name + "'"));
  }

  @Override
  public void close() {
    ScanTaskSetManager.get().removeTasks(table, taskSetId);
  }
}
