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

/** Tables of a Hadoop catalog, on any file system that Hadoop knows. */
abstract class HadoopCatalogContract extends TableContract {
  private String warehouse;

  abstract String warehouse(Path folder);

  @Override
  Map<String, String> settings(Path folder) {
    warehouse = warehouse(folder);
    return Map.of(
        "spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type", "hadoop",
        "spark.sql.catalog.lake.warehouse", warehouse);
  }

  @Override
  Optional<CatalogOptions> catalogOptions() {
    return Optional.of(
        new CatalogOptions(
            "org.apache.iceberg.hadoop.HadoopCatalog", Map.of("warehouse", warehouse)));
  }
}
