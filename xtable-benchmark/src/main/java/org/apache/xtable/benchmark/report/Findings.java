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
package org.apache.xtable.benchmark.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/** Finds figures in the tables of a report. */
final class Findings {
  private final JsonNode sections;

  Findings(JsonNode sections) {
    this.sections = sections;
  }

  /** The table with an id. */
  Optional<JsonNode> table(String id) {
    for (JsonNode section : sections) {
      for (JsonNode table : section.get("tables")) {
        if (table.get("id").asText().equals(id)) {
          return Optional.of(table);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The figure in a column of the first row that has these values in other columns; of a sample its
   * median.
   */
  Optional<Double> figure(String tableId, Map<String, String> row, String column) {
    return table(tableId)
        .flatMap(
            table -> {
              for (JsonNode each : table.get("rows")) {
                if (matches(each, row)) {
                  return number(each.get(column));
                }
              }
              return Optional.empty();
            });
  }

  private static boolean matches(JsonNode row, Map<String, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(
            entry ->
                row.hasNonNull(entry.getKey())
                    && row.get(entry.getKey()).asText().equals(entry.getValue()));
  }

  static Optional<Double> number(JsonNode cell) {
    if (cell == null || cell.isNull()) {
      return Optional.empty();
    }
    return Optional.of(cell.isObject() ? cell.get("median").asDouble() : cell.asDouble());
  }
}
