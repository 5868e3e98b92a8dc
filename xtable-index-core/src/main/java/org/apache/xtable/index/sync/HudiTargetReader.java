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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads {@code targetProperties}: settings below {@code HUDI}, either as dotted keys or as nested
 * maps, which mean the same.
 */
final class HudiTargetReader {
  private static final String FORMAT = DatasetConfig.TARGET_FORMAT;
  private static final int MAX_DEPTH = 10;

  private final ConfigProblems problems;
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  HudiTargetReader(ConfigProblems problems) {
    this.problems = problems;
  }

  /**
   * The target of one dataset, or empty after noting why there is none.
   *
   * @param properties {@code targetProperties}, the dataset's own or the shared ones
   * @param dataset the dataset, for the place of what is missing
   */
  Optional<HudiTarget> read(Optional<YamlMap> properties, YamlMap dataset) {
    properties.ifPresent(map -> flatten(map, "", 0));
    exactly(HudiTarget.TABLE_VERSION, HudiTarget.TABLE_VERSION_VALUE);
    exactly(HudiTarget.EXECUTION_ENGINE, HudiTarget.EXECUTION_ENGINE_VALUE);
    OptionalInt min = count(HudiTarget.MIN_FILE_GROUPS, HudiTarget.DEFAULT_MIN_FILE_GROUPS);
    OptionalInt max = count(HudiTarget.MAX_FILE_GROUPS, HudiTarget.DEFAULT_MAX_FILE_GROUPS);
    OptionalInt parallelism = count(HudiTarget.PARALLELISM, HudiTarget.DEFAULT_PARALLELISM);
    Optional<String> column = column(dataset);
    if (column.isEmpty() || min.isEmpty() || max.isEmpty() || parallelism.isEmpty()) {
      return Optional.empty();
    }
    if (min.getAsInt() > max.getAsInt()) {
      noteMinAboveMax(min.getAsInt(), max.getAsInt());
      return Optional.empty();
    }
    return Optional.of(
        HudiTarget.ofColumn(column.get())
            .withFileGroups(min.getAsInt(), max.getAsInt())
            .withParallelism(parallelism.getAsInt()));
  }

  private void flatten(YamlMap map, String prefix, int depth) {
    for (String key : map.keys()) {
      String name = prefix.isEmpty() ? key : prefix + "." + key;
      Optional<Node> value = map.value(key);
      if (value.isPresent() && value.get() instanceof MappingNode) {
        // An anchor may refer to a map that it stands in, so depth has to be bounded here.
        if (depth == MAX_DEPTH) {
          problems.add(map.keyNode(key), map.pathOf(key) + " is nested too deeply");
        } else {
          map.map(key).ifPresent(child -> flatten(child, name, depth + 1));
        }
      } else if (value.isPresent() || !name.equalsIgnoreCase(FORMAT)) {
        note(name, map, key);
      }
    }
  }

  private void note(String name, YamlMap map, String key) {
    int dot = name.indexOf('.');
    String format = dot < 0 ? name : name.substring(0, dot);
    if (!format.equalsIgnoreCase(FORMAT)) {
      problems.add(
          map.keyNode(key),
          map.pathOf(key) + ": " + format + " is not a supported target; allowed: " + FORMAT);
      return;
    }
    String setting = dot < 0 ? "" : name.substring(dot + 1);
    if (setting.isEmpty()) {
      map.map(key);
    } else if (!HudiTarget.SETTINGS.contains(setting)) {
      problems.add(
          map.keyNode(key), YamlMap.unknown(map.pathOf(key), setting, HudiTarget.SETTINGS));
    } else if (settings.putIfAbsent(setting, new Setting(map, key)) != null) {
      problems.add(map.keyNode(key), map.pathOf(key) + " is given twice, dotted and nested");
    }
  }

  private Optional<String> column(YamlMap dataset) {
    Setting setting = settings.get(HudiTarget.COLUMN);
    if (setting != null) {
      return setting.map.requiredText(setting.key, "the name of the column to index");
    }
    problems.add(
        dataset.node(),
        dataset.pathOf("targetProperties")
            + "."
            + FORMAT
            + "."
            + HudiTarget.COLUMN
            + " is missing; it must be the name of the column to index");
    return Optional.empty();
  }

  private void exactly(String name, String allowed) {
    text(name, allowed)
        .filter(text -> !text.toLowerCase(Locale.ROOT).equals(allowed))
        .ifPresent(text -> settings.get(name).wrong("'" + text + "'", allowed));
  }

  private OptionalInt count(String name, int byDefault) {
    if (!settings.containsKey(name)) {
      return OptionalInt.of(byDefault);
    }
    String allowed = "a whole number from 1 to " + Integer.MAX_VALUE;
    Optional<String> text = text(name, allowed);
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      int count = Integer.parseInt(text.get());
      if (count >= 1) {
        return OptionalInt.of(count);
      }
    } catch (NumberFormatException e) {
      // said below, with what is allowed
    }
    settings.get(name).wrong("'" + text.get() + "'", allowed);
    return OptionalInt.empty();
  }

  private Optional<String> text(String name, String allowed) {
    return Optional.ofNullable(settings.get(name))
        .flatMap(setting -> setting.map.requiredText(setting.key, allowed));
  }

  private void noteMinAboveMax(int min, int max) {
    Setting given =
        settings.getOrDefault(HudiTarget.MIN_FILE_GROUPS, settings.get(HudiTarget.MAX_FILE_GROUPS));
    problems.add(
        given.map.keyNode(given.key),
        String.format(
            "%s is %d and %s is %d, but the first must not be greater (defaults: %d and %d)",
            HudiTarget.MIN_FILE_GROUPS,
            min,
            HudiTarget.MAX_FILE_GROUPS,
            max,
            HudiTarget.DEFAULT_MIN_FILE_GROUPS,
            HudiTarget.DEFAULT_MAX_FILE_GROUPS));
  }

  /** Where a setting stands in the file. */
  private final class Setting {
    private final YamlMap map;
    private final String key;

    private Setting(YamlMap map, String key) {
      this.map = map;
      this.key = key;
    }

    private void wrong(String got, String allowed) {
      problems.add(
          map.value(key).orElseGet(() -> map.keyNode(key)),
          map.pathOf(key) + " is " + got + "; allowed: " + allowed);
    }
  }
}
