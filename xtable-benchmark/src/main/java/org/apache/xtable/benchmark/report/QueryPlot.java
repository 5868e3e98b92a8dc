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
import java.util.Map;
import java.util.TreeMap;

/** The time of the needle query against the number of files, both on logarithmic axes, as SVG. */
final class QueryPlot {
  static final String TABLE = "queries";
  private static final String QUERY = "needle";
  private static final String[] COLOURS = {"#888888", "#d9822b", "#0b6e4f", "#8e44ad", "#2c7fb8"};

  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int LEFT = 70;
  private static final int RIGHT = 560;
  private static final int TOP = 40;
  private static final int BOTTOM = 360;

  private final Map<Double, JsonNode> rows = new TreeMap<>();
  private final List<String> contestants = new ArrayList<>();
  private final StringBuilder svg = new StringBuilder();
  private double least = Double.MAX_VALUE;
  private double most;

  private QueryPlot(JsonNode table) {
    table
        .get("columns")
        .forEach(
            column -> {
              String name = column.asText();
              if (!name.equals("files") && !name.equals("query")) {
                contestants.add(name);
              }
            });
    for (JsonNode row : table.get("rows")) {
      if (row.get("query").asText().equals(QUERY)) {
        rows.put(row.get("files").asDouble(), row);
        for (String contestant : contestants) {
          least = Math.min(least, row.get(contestant).get("min").asDouble());
          most = Math.max(most, row.get(contestant).get("max").asDouble());
        }
      }
    }
  }

  static String of(JsonNode table) {
    return new QueryPlot(table).draw();
  }

  private String draw() {
    add(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d'"
            + " font-family='sans-serif' font-size='13'>",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    add("<rect width='%d' height='%d' fill='white'/>", WIDTH, HEIGHT);
    text(
        (LEFT + RIGHT) / 2.0, 22, "middle", "A query for one value: ms against files of the table");
    if (!rows.isEmpty()) {
      axes();
      for (int i = 0; i < contestants.size(); i++) {
        line(contestants.get(i), COLOURS[i % COLOURS.length], TOP + 16 + 22 * i);
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes() {
    for (double power = Math.floor(Math.log10(least));
        power <= Math.ceil(Math.log10(most));
        power++) {
      double y = y(Math.pow(10, power));
      add("<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' stroke='#dddddd'/>", LEFT, y, RIGHT, y);
      text(LEFT - 8, y + 4, "end", String.format(Locale.ROOT, "%,.0f ms", Math.pow(10, power)));
    }
    for (double files : rows.keySet()) {
      add(
          "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#dddddd'/>",
          x(files), TOP, x(files), BOTTOM);
      text(x(files), BOTTOM + 20, "middle", String.format(Locale.ROOT, "%,.0f files", files));
    }
  }

  private void line(String contestant, String colour, int legendY) {
    StringBuilder points = new StringBuilder();
    rows.forEach(
        (files, row) -> {
          JsonNode sample = row.get(contestant);
          double x = x(files);
          double y = y(sample.get("median").asDouble());
          points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
          add("<circle cx='%.1f' cy='%.1f' r='3.5' fill='%s'/>", x, y, colour);
          add(
              "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>",
              x, y(sample.get("min").asDouble()), x, y(sample.get("max").asDouble()), colour);
        });
    add("<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>", points, colour);
    add("<rect x='%d' y='%d' width='14' height='4' fill='%s'/>", RIGHT + 16, legendY - 6, colour);
    text(RIGHT + 36, legendY, "start", contestant);
  }

  private double x(double files) {
    double first = Math.log10(rows.keySet().iterator().next());
    double last = rows.keySet().stream().mapToDouble(Math::log10).max().orElse(first);
    double share = last == first ? 0.5 : (Math.log10(files) - first) / (last - first);
    return LEFT + 30 + share * (RIGHT - LEFT - 60);
  }

  private double y(double milliseconds) {
    double first = Math.floor(Math.log10(least));
    double last = Math.max(first + 1, Math.ceil(Math.log10(most)));
    return BOTTOM - (Math.log10(milliseconds) - first) / (last - first) * (BOTTOM - TOP);
  }

  private void text(double x, double y, String anchor, String content) {
    add("<text x='%.1f' y='%.1f' text-anchor='%s' fill='#333333'>%s</text>", x, y, anchor, content);
  }

  private void add(String format, Object... args) {
    svg.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
