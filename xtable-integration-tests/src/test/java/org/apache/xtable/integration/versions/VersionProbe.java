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
package org.apache.xtable.integration.versions;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.TableSyncReport;
import org.apache.xtable.spark.XTableSync;
import org.apache.xtable.spark.extensions.IndexUse;
import org.apache.xtable.spark.extensions.XTableIndexes;

/**
 * Syncs a table and queries it, with whatever Iceberg and Hudi are on the class path. Argument: a
 * folder, which may have been synced by other versions before.
 */
public final class VersionProbe {
  private static final String QUERY = "SELECT id, k FROM lake.db.t WHERE k IN ('k7', 'k77')";

  private static final String PRUNING = "spark.xtable.index.pruning.enabled";

  private VersionProbe() {}

  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar")
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
                    + "org.apache.xtable.spark.extensions.XTableSparkSessionExtensions")
            .config("spark.xtable.index.pruning.minCandidateFiles", 1)
            .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog.lake.type", "hadoop")
            .config("spark.sql.catalog.lake.warehouse", folder.resolve("lake").toString())
            .getOrCreate();
    spark.sql("CREATE NAMESPACE IF NOT EXISTS lake.db");
    spark.sql("CREATE TABLE IF NOT EXISTS lake.db.t (id BIGINT, k STRING) USING iceberg");
    if (!rows(spark, QUERY).isEmpty()) {
      query(spark, "old index");
    }
    try {
      for (int run = 0; run < 2; run++) {
        spark.sql(
            "INSERT INTO lake.db.t"
                + " SELECT id, concat('k', id * 7919 % 400) FROM range(0, 400, 1, 4)");
        sync(spark);
      }
    } catch (IndexException e) {
      System.out.println("refused: " + e.getMessage());
    }
    query(spark, "new index");
    spark.stop();
  }

  private static void sync(SparkSession spark) {
    TableSyncReport report =
        XTableSync.create(spark)
            .sync(
                DatasetConfig.of(
                    DatasetConfig.Dataset.inCatalog("lake.db", "t", HudiTarget.ofColumn("k"))))
            .reports()
            .get(0);
    System.out.println("sync: " + report.toLine());
    report.error().ifPresent(error -> error.printStackTrace(System.out));
  }

  /** Prints whether the index was used, and whether the rows are right. */
  private static void query(SparkSession spark, String what) {
    List<IndexUse> uses = XTableIndexes.explain(spark.sql(QUERY));
    System.out.println(what + ": " + uses);
    uses.stream()
        .flatMap(use -> use.cause().stream())
        .forEach(cause -> cause.printStackTrace(System.out));
    List<String> with = rows(spark, QUERY);
    spark.conf().set(PRUNING, false);
    List<String> without = rows(spark, QUERY);
    spark.conf().set(PRUNING, true);
    System.out.println("rows: " + (with.equals(without) && !with.isEmpty() ? "same" : "DIFFERENT"));
  }

  private static List<String> rows(SparkSession spark, String query) {
    return spark.sql(query).collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .collect(Collectors.toList());
  }
}
