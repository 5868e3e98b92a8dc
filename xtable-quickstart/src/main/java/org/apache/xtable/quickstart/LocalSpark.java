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

import org.apache.spark.sql.SparkSession;

/** Spark as the quickstart runs it: two cores, and the Hadoop catalog of the table. */
final class LocalSpark {
  private LocalSpark() {}

  static SparkSession.Builder builder(String name, Customers customers) {
    String catalog = "spark.sql.catalog." + Customers.CATALOG;
    return SparkSession.builder()
        .appName(name)
        .master("local[2]")
        .config("spark.ui.enabled", false)
        .config(catalog, "org.apache.iceberg.spark.SparkCatalog")
        .config(catalog + ".type", "hadoop")
        .config(catalog + ".warehouse", customers.warehouse());
  }
}
