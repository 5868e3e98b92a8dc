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
package org.apache.xtable.integration.tables;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A Hive metastore that lives in the driver, in a Derby database. */
final class HiveMetastore {
  private HiveMetastore() {}

  /**
   * Spark's settings of the metastore, and of a catalog of its tables.
   *
   * @param implementation the class of the catalog, of Iceberg's package for Spark
   */
  static Map<String, String> settings(Path folder, String catalog, String implementation) {
    Map<String, String> settings = new TreeMap<>();
    String prefix = "spark.sql.catalog." + catalog;
    settings.put(prefix, "org.apache.iceberg.spark." + implementation);
    settings.put(prefix + ".type", "hive");
    settings.put("spark.sql.catalogImplementation", "hive");
    settings.put(
        "spark.hadoop.javax.jdo.option.ConnectionURL",
        "jdbc:derby:;databaseName=" + folder.resolve("metastore") + ";create=true");
    settings.put("spark.hadoop.hive.metastore.warehouse.dir", folder.resolve("lake").toString());
    settings.put("spark.hadoop.datanucleus.schema.autoCreateTables", "true");
    settings.put("spark.hadoop.hive.metastore.schema.verification", "false");
    // This metastore cannot lock a table.
    settings.put("spark.hadoop.iceberg.engine.hive.lock-enabled", "false");
    return settings;
  }
}
