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

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apache.xtable.benchmark.measure.Sample;

/**
 * A table of the report. A cell is text, a number, or a {@link Sample}; a column's heading names
 * the unit.
 */
public final class ReportTable {
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();
  private final List<String> columns;
  private final ArrayNode rows;

  ReportTable(String id, String title, List<String> columns) {
    this.columns = List.copyOf(columns);
    json.put("id", id);
    json.put("title", title);
    ArrayNode headings = json.putArray("columns");
    columns.forEach(headings::add);
    this.rows = json.putArray("rows");
  }

  /**
   * @param cells as many as there are columns; null for what is not known
   */
  public ReportTable row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "Cannot add a row of " + cells.length + " cells to the columns " + columns);
    }
    ObjectNode row = rows.addObject();
    for (int i = 0; i < cells.length; i++) {
      put(row, columns.get(i), cells[i]);
    }
    return this;
  }

  private static void put(ObjectNode row, String column, Object cell) {
    if (cell == null) {
      row.putNull(column);
    } else if (cell instanceof Sample) {
      Sample sample = (Sample) cell;
      row.putObject(column)
          .put("median", sample.median())
          .put("min", sample.min())
          .put("max", sample.max())
          .put("runs", sample.runs());
    } else if (cell instanceof Double) {
      row.put(column, (Double) cell);
    } else if (cell instanceof Number) {
      row.put(column, ((Number) cell).longValue());
    } else {
      row.put(column, cell.toString());
    }
  }

  ObjectNode json() {
    return json;
  }
}
