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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report for people. */
final class Markdown {
  private final StringBuilder text = new StringBuilder();

  private Markdown() {}

  static String of(JsonNode report) {
    Markdown markdown = new Markdown();
    markdown.text.append("# Benchmark\n\n| | |\n|---|---|\n");
    report
        .get("machine")
        .fields()
        .forEachRemaining(
            entry -> markdown.line(List.of(entry.getKey(), entry.getValue().asText())));
    report
        .get("sizes")
        .fields()
        .forEachRemaining(
            entry -> markdown.line(List.of("`" + entry.getKey() + "`", entry.getValue().asText())));
    markdown.text.append(
        "\nTimes are medians of the counted runs, with minimum and maximum in brackets.\n");
    for (JsonNode section : report.get("sections")) {
      markdown.section(section);
    }
    return markdown.text.toString();
  }

  private void section(JsonNode section) {
    text.append("\n## ").append(section.get("title").asText()).append('\n');
    for (JsonNode note : section.get("notes")) {
      text.append('\n').append(note.asText()).append('\n');
    }
    for (JsonNode table : section.get("tables")) {
      text.append("\n### ").append(table.get("title").asText()).append("\n\n");
      table(table);
    }
  }

  private void table(JsonNode table) {
    List<String> columns = new ArrayList<>();
    table.get("columns").forEach(column -> columns.add(column.asText()));
    line(columns);
    text.append("|").append("---|".repeat(columns.size())).append('\n');
    for (JsonNode row : table.get("rows")) {
      line(columns.stream().map(column -> cell(row.get(column))).collect(Collectors.toList()));
    }
  }

  private void line(List<String> cells) {
    text.append("| ")
        .append(
            cells.stream()
                .map(cell -> cell.replace("|", "\\|").replaceAll("\\s*\\R\\s*", " "))
                .collect(Collectors.joining(" | ")))
        .append(" |\n");
  }

  private static String cell(JsonNode cell) {
    if (cell == null || cell.isNull()) {
      return "";
    }
    if (cell.isObject()) {
      return String.format(
          "%s (%s–%s)",
          number(cell.get("median").asDouble()),
          number(cell.get("min").asDouble()),
          number(cell.get("max").asDouble()));
    }
    if (cell.isIntegralNumber()) {
      return String.format(Locale.ROOT, "%,d", cell.asLong());
    }
    return cell.isNumber() ? number(cell.asDouble()) : cell.asText();
  }

  /** Three digits that count, and no more. */
  static String number(double value) {
    double size = Math.abs(value);
    if (size >= 100 || size == 0) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= 10) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return String.format(Locale.ROOT, size >= 1 ? "%.2f" : size >= 0.1 ? "%.3f" : "%.4f", value);
  }
}
