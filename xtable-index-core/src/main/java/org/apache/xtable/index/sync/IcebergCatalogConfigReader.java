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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads an {@link IcebergCatalogConfig}. */
final class IcebergCatalogConfigReader {
  private final String what;
  private final ConfigProblems problems;

  IcebergCatalogConfigReader(String origin) {
    this.what = "Iceberg catalog config " + origin;
    this.problems = new ConfigProblems(what);
  }

  IcebergCatalogConfig read(String yaml) {
    YamlMap root = YamlMap.parse(yaml, what, problems);
    root.allow("catalogImpl", "catalogName", "catalogOptions");
    Optional<String> impl = root.text("catalogImpl");
    Optional<String> name = root.requiredText("catalogName", "a name for the catalog");
    Map<String, String> options = root.map("catalogOptions").map(this::options).orElse(Map.of());
    if (root.value("catalogImpl").isEmpty()
        && !options.containsKey("type")
        && !options.containsKey("catalog-impl")) {
      problems.add(
          root.node(),
          "catalogImpl is missing; it must be the class of the catalog (or give"
              + " catalogOptions.type: hadoop, hive, jdbc, rest, glue or nessie)");
    }
    problems.throwIfAny();
    return new IcebergCatalogConfig(impl, name.orElseThrow(), options);
  }

  /** Options are the catalog's own, so any key goes, and empty text too; null is no option. */
  private Map<String, String> options(YamlMap map) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String key : map.keys()) {
      Optional<Node> value = map.value(key);
      if (value.isPresent() && value.get() instanceof ScalarNode) {
        options.put(key, ((ScalarNode) value.get()).getValue());
      } else {
        problems.add(
            map.keyNode(key),
            map.pathOf(key) + " must be text, got " + value.map(YamlMap::got).orElse("nothing"));
      }
    }
    return options;
  }
}
