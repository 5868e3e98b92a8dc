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

/** Iceberg tables beside others in Spark's own catalog. */
class SessionCatalogIT extends TableContract {
  @Override
  String catalog() {
    return "spark_catalog";
  }

  @Override
  Map<String, String> settings(Path folder) {
    return HiveMetastore.settings(folder, catalog(), "SparkSessionCatalog");
  }

  @Override
  Optional<CatalogOptions> catalogOptions() {
    return Optional.empty();
  }
}
