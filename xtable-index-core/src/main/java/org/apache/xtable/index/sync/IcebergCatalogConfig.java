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
package org.apache.xtable.index.sync;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The Iceberg catalog to find tables through: Apache XTable's Iceberg catalog config.
 *
 * <pre>
 * catalogImpl: org.apache.iceberg.rest.RESTCatalog
 * catalogName: prod
 * catalogOptions:
 *   uri: https://catalog.example.org
 * </pre>
 *
 * <p>Instead of {@code catalogImpl}, {@code catalogOptions} may have a {@code type}, as a Spark
 * catalog has: hadoop, hive, jdbc, rest, glue or nessie.
 *
 * <p>Immutable.
 */
public final class IcebergCatalogConfig {
  private final String catalogImpl;
  private final String catalogName;
  private final Map<String, String> catalogOptions;

  /**
   * @param catalogImpl the class of the catalog; empty if the options have a {@code type} or {@code
   *     catalog-impl}
   * @param catalogName any name
   * @param catalogOptions handed to the catalog as they are
   */
  public IcebergCatalogConfig(
      Optional<String> catalogImpl, String catalogName, Map<String, String> catalogOptions) {
    this.catalogImpl = catalogImpl.orElse(null);
    this.catalogName = Objects.requireNonNull(catalogName, "catalogName is null");
    this.catalogOptions = Collections.unmodifiableMap(new LinkedHashMap<>(catalogOptions));
  }

  /**
   * Reads a config.
   *
   * @param yaml the text of the file
   * @param origin where the text comes from, for messages
   * @throws InvalidConfigException naming everything that is wrong with it
   */
  public static IcebergCatalogConfig parse(String yaml, String origin) {
    return new IcebergCatalogConfigReader(origin).read(yaml);
  }

  public Optional<String> catalogImpl() {
    return Optional.ofNullable(catalogImpl);
  }

  public String catalogName() {
    return catalogName;
  }

  public Map<String, String> catalogOptions() {
    return catalogOptions;
  }

  /** Names of the options only: their values may be secrets. */
  @Override
  public String toString() {
    return String.format("catalog %s (options %s)", catalogName, catalogOptions.keySet());
  }
}
