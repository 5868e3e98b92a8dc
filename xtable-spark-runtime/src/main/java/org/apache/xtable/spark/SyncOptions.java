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
package org.apache.xtable.spark;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.NearNames;

/**
 * The command line of a sync. Option names go in any case, with one or two dashes, and with their
 * value after a space or {@code =}.
 *
 * <p>Immutable.
 */
final class SyncOptions {
  /** How the results are printed. */
  enum Report {
    TEXT,
    JSON
  }

  private enum Option {
    DATASET_CONFIG("datasetConfig", "d"),
    ICEBERG_CATALOG_CONFIG("icebergCatalogConfig", "i"),
    HADOOP_CONFIG("hadoopConfig", "p"),
    REPORT("report", "r"),
    HELP("help", "h");

    private final String name;
    private final String letter;

    Option(String name, String letter) {
      this.name = name;
      this.letter = letter;
    }

    private static Optional<Option> named(String name) {
      return Arrays.stream(values())
          .filter(option -> option.name.equalsIgnoreCase(name) || option.letter.equals(name))
          .findFirst();
    }
  }

  static final String USAGE =
      String.join(
          "\n",
          "Builds or updates the secondary indexes of Iceberg tables.",
          "",
          "  --datasetConfig FILE         YAML: the tables and the column of each; required",
          "  --icebergCatalogConfig FILE  YAML: the Iceberg catalog to find the tables through",
          "  --hadoopConfig FILE          XML: Hadoop settings that override the cluster's",
          "  --report text|json           one line a table at the end, for people or programs",
          "  --help                       this text",
          "",
          "Files may be on any Hadoop file system. Option names go in any case.",
          "Exit code: 0 every table is synced; 1 a table failed; 2 nothing was done, the command",
          "line or a config file is wrong.");

  private final Map<Option, String> values;

  private SyncOptions(Map<Option, String> values) {
    this.values = values;
  }

  /**
   * @throws IndexException naming the first thing that is wrong
   */
  static SyncOptions parse(String... args) {
    Map<Option, String> values = new EnumMap<>(Option.class);
    Iterator<String> rest = Arrays.asList(args).iterator();
    while (rest.hasNext()) {
      String arg = rest.next();
      int equals = arg.indexOf('=');
      String name = equals < 0 ? arg : arg.substring(0, equals);
      Option option = option(name);
      String value;
      if (option == Option.HELP) {
        value = "";
      } else if (equals >= 0) {
        value = arg.substring(equals + 1);
      } else {
        value = rest.hasNext() ? rest.next() : "";
      }
      if (option != Option.HELP && (value.isEmpty() || isOption(value))) {
        throw new IndexException("Cannot read command line: " + name + " needs a value");
      }
      if (values.put(option, value) != null && option != Option.HELP) {
        throw new IndexException("Cannot read command line: " + name + " is given twice");
      }
    }
    SyncOptions options = new SyncOptions(values);
    if (!options.isHelp()) {
      options.check();
    }
    return options;
  }

  private static Option option(String arg) {
    List<String> known =
        Arrays.stream(Option.values()).map(o -> "--" + o.name).collect(Collectors.toList());
    if (!arg.startsWith("-")) {
      throw new IndexException(
          String.format(
              "Cannot read command line: unexpected '%s'; options are %s",
              arg, String.join(", ", known)));
    }
    return Option.named(arg.startsWith("--") ? arg.substring(2) : arg.substring(1))
        .orElseThrow(
            () -> {
              List<String> near = NearNames.to(arg, known);
              return new IndexException(
                  String.format(
                      "Cannot read command line: unknown option %s; %s",
                      arg,
                      near.isEmpty()
                          ? "options are " + String.join(", ", known)
                          : "did you mean " + String.join(" or ", near) + "?"));
            });
  }

  private static boolean isOption(String value) {
    return value.startsWith("--");
  }

  private void check() {
    if (!values.containsKey(Option.DATASET_CONFIG)) {
      throw new IndexException("Cannot read command line: --datasetConfig FILE is missing");
    }
    report();
  }

  boolean isHelp() {
    return values.containsKey(Option.HELP);
  }

  String datasetConfig() {
    return values.get(Option.DATASET_CONFIG);
  }

  Optional<String> icebergCatalogConfig() {
    return Optional.ofNullable(values.get(Option.ICEBERG_CATALOG_CONFIG));
  }

  Optional<String> hadoopConfig() {
    return Optional.ofNullable(values.get(Option.HADOOP_CONFIG));
  }

  Report report() {
    String report = values.getOrDefault(Option.REPORT, Report.TEXT.name());
    try {
      return Report.valueOf(report.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IndexException(
          "Cannot read command line: --report is '" + report + "'; allowed: text, json", e);
    }
  }
}
