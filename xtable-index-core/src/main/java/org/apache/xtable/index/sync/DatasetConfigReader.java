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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.xtable.index.DataPath;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads a {@link DatasetConfig}, noting everything that is wrong before it refuses a file. */
final class DatasetConfigReader {
  private final String what;
  private final ConfigProblems problems;

  DatasetConfigReader(String origin) {
    this.what = "dataset config " + origin;
    this.problems = new ConfigProblems(what);
  }

  DatasetConfig read(String yaml) {
    YamlMap root = YamlMap.parse(yaml, what, problems);
    root.allow("sourceFormat", "targetFormats", "datasets", "targetProperties");
    readSourceFormat(root);
    readTargetFormats(root);
    List<DatasetConfig.Dataset> datasets = readDatasets(root);
    problems.throwIfAny();
    return DatasetConfig.of(datasets);
  }

  private void readSourceFormat(YamlMap root) {
    root.required("sourceFormat", DatasetConfig.SOURCE_FORMAT)
        .ifPresent(node -> format(node, "sourceFormat", DatasetConfig.SOURCE_FORMAT));
  }

  private void readTargetFormats(YamlMap root) {
    for (Node format : list(root, "targetFormats", "a list of formats, [HUDI]")) {
      format(format, "targetFormats", DatasetConfig.TARGET_FORMAT);
    }
  }

  private void format(Node node, String path, String allowed) {
    if (!(node instanceof ScalarNode)
        || !((ScalarNode) node).getValue().equalsIgnoreCase(allowed)) {
      problems.add(node, path + " names the format " + YamlMap.got(node) + "; allowed: " + allowed);
    }
  }

  private List<DatasetConfig.Dataset> readDatasets(YamlMap root) {
    List<DatasetConfig.Dataset> datasets = new ArrayList<>();
    Map<Object, Integer> lines = new HashMap<>();
    Optional<YamlMap> shared = root.map("targetProperties");
    int index = 0;
    for (Node node : list(root, "datasets", "a list of tables")) {
      String path = "datasets[" + index++ + "]";
      YamlMap.of(node, path, problems)
          .flatMap(map -> readDataset(map, shared))
          .ifPresent(
              dataset -> {
                noteRepeated(dataset, node, path, lines);
                datasets.add(dataset);
              });
    }
    return datasets;
  }

  private Optional<DatasetConfig.Dataset> readDataset(YamlMap map, Optional<YamlMap> shared) {
    map.allow("tableBasePath", "tableDataPath", "tableName", "namespace", "targetProperties");
    Optional<String> basePath = map.text("tableBasePath");
    Optional<String> dataPath = map.text("tableDataPath");
    Optional<String> name = map.requiredText("tableName", "the name of the table");
    Optional<String> namespace = readNamespace(map);
    if (map.value("tableBasePath").isEmpty() && map.value("namespace").isEmpty()) {
      problems.add(
          map.node(),
          map.pathOf("tableBasePath")
              + " is missing; it must be the table's folder"
              + " (or give namespace, to find the table through a catalog)");
    }
    Optional<YamlMap> own = map.map("targetProperties");
    Optional<HudiTarget> target =
        new HudiTargetReader(problems).read(own.isPresent() ? own : shared, map);
    if (name.isEmpty() || target.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        DatasetConfig.Dataset.read(basePath, dataPath, name.get(), namespace, target.get()));
  }

  /** Unlike other text a namespace may be empty: the root. */
  private Optional<String> readNamespace(YamlMap map) {
    boolean root =
        map.value("namespace")
            .filter(ScalarNode.class::isInstance)
            .map(node -> ((ScalarNode) node).getValue().isEmpty())
            .orElse(false);
    return root ? Optional.of("") : map.text("namespace");
  }

  private void noteRepeated(
      DatasetConfig.Dataset dataset, Node node, String path, Map<Object, Integer> lines) {
    Object identity = dataset.tableBasePath().<Object>map(DataPath::new).orElseGet(dataset::name);
    int line = node.getStartMark().getLine() + 1;
    Integer first = lines.putIfAbsent(identity, line);
    if (first != null) {
      problems.add(
          node,
          String.format(
              "%s is the table %s again, which already stands at line %d; a table has one index",
              path, identity, first));
    }
  }

  private List<Node> list(YamlMap root, String key, String allowed) {
    Optional<Node> value = root.required(key, allowed);
    if (value.isEmpty()) {
      return List.of();
    }
    if (!(value.get() instanceof SequenceNode)) {
      problems.add(value.get(), key + " must be " + allowed + ", got " + YamlMap.got(value.get()));
      return List.of();
    }
    List<Node> items = ((SequenceNode) value.get()).getValue();
    if (items.isEmpty()) {
      problems.add(value.get(), key + " must be " + allowed + ", got an empty list");
    }
    return items;
  }
}
