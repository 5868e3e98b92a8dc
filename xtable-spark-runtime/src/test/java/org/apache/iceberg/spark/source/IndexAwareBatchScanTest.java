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
package org.apache.iceberg.spark.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.FieldReference;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the bridge tells a pruner about a scan, and what it does with the answer. */
class IndexAwareBatchScanTest {
  private static final String TABLE = "lake.db.t";

  private final Recorder recorder = new Recorder();
  private SparkSession spark;

  @BeforeEach
  void createTable(@TempDir Path folder) throws Exception {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog.lake.type", "hadoop")
            .config("spark.sql.catalog.lake.warehouse", folder.resolve("lake").toString())
            .getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    spark.sql("CREATE TABLE " + TABLE + " (id BIGINT) USING iceberg");
    spark.range(0, 8, 1, 4).writeTo(TABLE).append();
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  @Test
  @DisplayName("C24a: the snapshot that is compared is the one planned, not the one at build time")
  void snapshotIsThatOfPlanning() throws Exception {
    Table table = Spark3Util.loadIcebergTable(spark, TABLE);
    Scan scan = scan(table);
    long atBuildTime = table.currentSnapshot().snapshotId();
    appendAgain(table); // as another thread that shares the table object
    long atPlanning = table.currentSnapshot().snapshotId();

    scan.toBatch();

    assertThat(recorder.scans).singleElement();
    assertThat(recorder.scans.get(0).snapshotId()).hasValue(atPlanning);
    assertThat(atPlanning).isNotEqualTo(atBuildTime);
    assertThat(recorder.scans.get(0).tasks()).hasSize(5);
  }

  @Test
  @DisplayName("C24a: planning that Spark distributes tells its snapshot too")
  void distributedPlanningTellsItsSnapshot() throws Exception {
    spark.sql(
        "ALTER TABLE lake.db.t SET TBLPROPERTIES ('read.data-planning-mode'='distributed',"
            + " 'read.delete-planning-mode'='distributed')");
    spark.sql("REFRESH TABLE " + TABLE);
    Table table = Spark3Util.loadIcebergTable(spark, TABLE);

    scan(table).toBatch();

    assertThat(recorder.scans.get(0).snapshotId()).hasValue(table.currentSnapshot().snapshotId());
  }

  @Test
  @DisplayName("A scan is pruned once, before its statistics and its splits are made")
  void scanIsPrunedOnce() throws Exception {
    Scan scan = scan(Spark3Util.loadIcebergTable(spark, TABLE));

    long rows =
        ((org.apache.spark.sql.connector.read.SupportsReportStatistics) scan)
            .estimateStatistics()
            .numRows()
            .getAsLong();

    assertThat(rows).as("rows of the one selected file").isEqualTo(2);
    assertThat(scan.toBatch().planInputPartitions()).hasSize(1);
    assertThat(scan.description()).endsWith(" [index: kept the first]");
    assertThat(recorder.scans).hasSize(1);
  }

  @Test
  @DisplayName("C21: scans with the same filter are equal, so that exchanges are shared")
  void scansWithTheSameFilterAreEqual() throws Exception {
    Table table = Spark3Util.loadIcebergTable(spark, TABLE);
    Scan first = scan(table);
    Scan second = scan(table);
    first.toBatch();

    assertThat(first).isEqualTo(second).hasSameHashCodeAs(second);
    assertThat(first.toBatch()).isEqualTo(second.toBatch());
  }

  @Test
  @DisplayName("Iceberg's planning metrics are reported as ever")
  void driverMetricsAreReported() throws Exception {
    Scan scan = scan(Spark3Util.loadIcebergTable(spark, TABLE));
    scan.toBatch();
    assertThat(scan.reportDriverMetrics())
        .anySatisfy(
            metric -> {
              assertThat(metric.name()).isEqualTo("resultDataFiles");
              assertThat(metric.value()).isEqualTo(4);
            });
  }

  @Test
  @DisplayName("C28: a scan without filters is Iceberg's own")
  void scanWithoutFiltersIsIcebergsOwn() throws Exception {
    Scan scan = builder(Spark3Util.loadIcebergTable(spark, TABLE)).build();
    assertThat(scan.getClass()).isEqualTo(SparkBatchQueryScan.class);
  }

  @Test
  @DisplayName(
      "C20: an Iceberg that lacks what the bridge calls when it prunes: all files are read")
  void linkageErrorWhenPruningLeavesAllFiles() throws Exception {
    recorder.failure = new NoSuchMethodError("PartitionScanTask.file");
    Scan scan = scan(Spark3Util.loadIcebergTable(spark, TABLE));

    assertThat(ScanProbe.files(scan)).hasSize(4);
    assertThat(scan.description()).doesNotContain("index");
    assertThat(recorder.broken).isSameAs(recorder.failure);
    assertThat(recorder.scans).as("asked once").hasSize(1);
  }

  /** With the filter {@code id >= 0}, which all rows pass. */
  private Scan scan(Table table) {
    SparkScanBuilder builder = builder(table);
    builder.pushPredicates(
        new Predicate[] {
          new Predicate(
              ">=",
              new Expression[] {
                FieldReference.apply("id"), new LiteralValue<>(0L, DataTypes.LongType)
              })
        });
    return builder.build();
  }

  private SparkScanBuilder builder(Table table) {
    IndexAwareSparkTable wrapped =
        (IndexAwareSparkTable)
            IndexAwareSparkTable.wrap(new SparkTable(table, false), recorder).orElseThrow();
    return (SparkScanBuilder) wrapped.newScanBuilder(CaseInsensitiveStringMap.empty());
  }

  /** Appends one of the table's files once more. */
  private static void appendAgain(Table table) {
    List<DataFile> files = new CopyOnWriteArrayList<>();
    table.newScan().planFiles().forEach(task -> files.add(task.file()));
    table.newAppend().appendFile(files.get(0)).commit();
  }

  /** Keeps the first file. */
  private static final class Recorder implements ScanPruner {
    private final List<PlannedScan> scans = new CopyOnWriteArrayList<>();
    private LinkageError failure;
    private LinkageError broken;

    @Override
    public PrunedScan prune(PlannedScan scan) {
      scans.add(scan);
      if (failure != null) {
        throw failure;
      }
      return new PrunedScan() {
        @Override
        public List<PartitionScanTask> tasks() {
          return scan.tasks().subList(0, 1);
        }

        @Override
        public String description() {
          return "kept the first";
        }

        @Override
        public CustomTaskMetric[] metrics() {
          return new CustomTaskMetric[0];
        }
      };
    }

    @Override
    public CustomMetric[] metrics() {
      return new CustomMetric[0];
    }

    @Override
    public void bridgeBroken(LinkageError error) {
      this.broken = error;
    }
  }
}
