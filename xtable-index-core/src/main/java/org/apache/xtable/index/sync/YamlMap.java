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

import java.io.StringReader;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.xtable.index.NearNames;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A map of a YAML file with the places of its keys. Nothing is ever constructed from tags: only
 * YAML's node graph is read, and scalars are taken as they are written.
 */
final class YamlMap {
  private static final int MAX_CHARACTERS = 1 << 20;
  private static final int MAX_ALIASES = 50;
  private static final int MAX_DEPTH = 20;

  private final String path;
  private final Node node;
  private final Map<String, NodeTuple> entries;
  private final ConfigProblems problems;

  private YamlMap(String path, Node node, Map<String, NodeTuple> entries, ConfigProblems problems) {
    this.path = path;
    this.node = node;
    this.entries = entries;
    this.problems = problems;
  }

  /**
   * The map that a file holds.
   *
   * @param what the file, for messages
   * @throws InvalidConfigException if the text is not YAML or holds no map
   */
  static YamlMap parse(String text, String what, ConfigProblems problems) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MAX_CHARACTERS);
    options.setMaxAliasesForCollections(MAX_ALIASES);
    options.setNestingDepthLimit(MAX_DEPTH);
    Node root;
    try {
      root = new Yaml(options).compose(new StringReader(text));
    } catch (MarkedYAMLException e) {
      String place = e.getProblemMark() == null ? "" : ConfigProblems.place(e.getProblemMark());
      // Not its cause, whose message shows the line.
      throw new InvalidConfigException(
          what, Collections.singletonList(place + "not valid YAML: " + problem(e)));
    } catch (YAMLException e) {
      throw new InvalidConfigException(what, "not valid YAML: " + e.getMessage(), e);
    }
    if (root == null || isNull(root)) {
      throw new InvalidConfigException(what, Collections.singletonList("the file is empty"));
    }
    Optional<YamlMap> map = of(root, "", problems);
    problems.throwIfAny();
    return map.orElseThrow();
  }

  /** Without the name that is undefined: it is part of a value, which may be a secret. */
  private static String problem(MarkedYAMLException e) {
    String problem = e.getProblem();
    return problem.startsWith("found undefined")
        ? "a value that begins with * or ! must be quoted"
        : problem;
  }

  /** The map that a node is, or empty after noting that it is none. */
  static Optional<YamlMap> of(Node node, String path, ConfigProblems problems) {
    if (!(node instanceof MappingNode)) {
      // Not the text itself: it may be a secret that belongs below this key.
      String got = node instanceof ScalarNode && !isNull(node) ? "text" : got(node);
      problems.add(node, (path.isEmpty() ? "the file" : path) + " must be a map, got " + got);
      return Optional.empty();
    }
    Map<String, NodeTuple> entries = new LinkedHashMap<>();
    YamlMap map = new YamlMap(path, node, entries, problems);
    for (NodeTuple entry : ((MappingNode) node).getValue()) {
      map.note(entry);
    }
    return Optional.of(map);
  }

  private void note(NodeTuple entry) {
    Node key = entry.getKeyNode();
    if (!(key instanceof ScalarNode)) {
      problems.add(key, "a key must be text, got " + got(key));
    } else if (key.getTag().equals(Tag.MERGE)) {
      problems.add(key, "merge keys (<<) are not supported; write the keys out");
    } else {
      String name = ((ScalarNode) key).getValue();
      NodeTuple first = entries.putIfAbsent(name, entry);
      if (first != null) {
        problems.add(
            key,
            String.format(
                "%s is given twice, first at line %d",
                pathOf(name), first.getKeyNode().getStartMark().getLine() + 1));
      }
    }
  }

  /** Where the map stands, for problems that are not of one key. */
  Node node() {
    return node;
  }

  Collection<String> keys() {
    return Collections.unmodifiableSet(entries.keySet());
  }

  String pathOf(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** Notes every key that is not allowed. */
  void allow(String... allowed) {
    List<String> known = Arrays.asList(allowed);
    entries.forEach(
        (key, entry) -> {
          if (!known.contains(key)) {
            problems.add(entry.getKeyNode(), unknown(pathOf(key), key, known));
          }
        });
  }

  static String unknown(String path, String key, Collection<String> known) {
    List<String> near = NearNames.to(key, known);
    return path
        + " is not a known key; "
        + (near.isEmpty()
            ? "known are " + String.join(", ", known)
            : "did you mean " + String.join(" or ", near) + "?");
  }

  /** The value of a key, or empty if the key is missing or has no value. */
  Optional<Node> value(String key) {
    return Optional.ofNullable(entries.get(key))
        .map(NodeTuple::getValueNode)
        .filter(value -> !isNull(value));
  }

  /** Where a key stands. */
  Node keyNode(String key) {
    return entries.get(key).getKeyNode();
  }

  /** Like {@link #value}, but notes a missing one. */
  Optional<Node> required(String key, String allowed) {
    Optional<Node> value = value(key);
    if (value.isEmpty()) {
      problems.add(
          entries.containsKey(key) ? keyNode(key) : node,
          pathOf(key)
              + (entries.containsKey(key) ? " has no value" : " is missing")
              + "; it must be "
              + allowed);
    }
    return value;
  }

  /** Text that is not empty, or empty after noting what else stands there. */
  Optional<String> text(String key) {
    return value(key).flatMap(value -> text(value, pathOf(key), problems));
  }

  Optional<String> requiredText(String key, String allowed) {
    return required(key, allowed).flatMap(value -> text(value, pathOf(key), problems));
  }

  Optional<YamlMap> map(String key) {
    return value(key).flatMap(value -> of(value, pathOf(key), problems));
  }

  static Optional<String> text(Node node, String path, ConfigProblems problems) {
    if (!(node instanceof ScalarNode) || isNull(node)) {
      problems.add(node, path + " must be text, got " + got(node));
      return Optional.empty();
    }
    String text = ((ScalarNode) node).getValue();
    if (text.isBlank()) {
      problems.add(node, path + " must be text, got an empty one");
      return Optional.empty();
    }
    return Optional.of(text);
  }

  static boolean isNull(Node node) {
    return node.getTag().equals(Tag.NULL);
  }

  static String got(Node node) {
    if (node instanceof MappingNode) {
      return "a map";
    }
    if (node instanceof SequenceNode) {
      return "a list";
    }
    return isNull(node) ? "nothing" : "'" + ((ScalarNode) node).getValue() + "'";
  }
}
