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
import java.util.Optional;
import java.util.TreeMap;

/** An Iceberg catalog in a database. */
abstract class JdbcCatalogContract extends TableContract {
  private static final String IMPLEMENTATION = "org.apache.iceberg.jdbc.JdbcCatalog";

  private Map<String, String> options;

  /**
   * @param file of the database, which does not exist yet
   */
  abstract String url(Path file);

  @Override
  Map<String, String> settings(Path folder) {
    options =
        Map.of(
            "uri", url(folder.resolve("catalog")),
            "jdbc.schema-version", "V1",
            "warehouse", folder.resolve("lake").toString());
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog");
    settings.put("spark.sql.catalog.lake.catalog-impl", IMPLEMENTATION);
    options.forEach((name, value) -> settings.put("spark.sql.catalog.lake." + name, value));
    return settings;
  }

  @Override
  Optional<CatalogOptions> catalogOptions() {
    return Optional.of(new CatalogOptions(IMPLEMENTATION, options));
  }
}
