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

import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.quickstart.TaskInput;

/**
 * Spark as the benchmark runs it: all cores of this machine, an Iceberg Hadoop catalog {@value
 * #CATALOG}, and the index at its default settings.
 */
public final class BenchmarkSpark {
  public static final String CATALOG = "lake";
  public static final String INDEX_ENABLED = "spark.xtable.index.pruning.enabled";
  public static final String EXTENSIONS =
      "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
          + "org.apache.xtable.spark.extensions.XTableSparkSessionExtensions";

  private BenchmarkSpark() {}

  public static SparkSession.Builder builder(String name) {
    String catalog = "spark.sql.catalog." + CATALOG;
    Path directory = Sizes.directory();
    return SparkSession.builder()
        .appName("benchmark: " + name)
        .master("local[*]")
        .config("spark.ui.enabled", false)
        .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        .config("spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar")
        .config("spark.sql.warehouse.dir", directory.resolve("spark-warehouse").toUri().toString())
        .config("spark.local.dir", directory.resolve("spark").toString())
        .config("spark.sql.extensions", EXTENSIONS)
        .config(catalog, "org.apache.iceberg.spark.SparkCatalog")
        .config(catalog + ".type", "hadoop")
        .config(catalog + ".warehouse", directory.resolve("warehouse").toUri().toString());
  }

  /** Listens to what comes from now on, and to nothing that came before. */
  public static TaskInput listen(SparkSession spark) {
    try {
      spark.sparkContext().listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
    TaskInput input = new TaskInput();
    spark.sparkContext().addSparkListener(input);
    return input;
  }

  /** An Iceberg table of a session. */
  public static Table table(SparkSession spark, String name) {
    try {
      return Spark3Util.loadIcebergTable(spark, name);
    } catch (Exception e) {
      throw new IllegalStateException("Cannot load table " + name, e);
    }
  }
}
