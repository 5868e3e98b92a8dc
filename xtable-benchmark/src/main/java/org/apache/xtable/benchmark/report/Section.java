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

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.xtable.benchmark.measure.Sizes;

/** What one part of the benchmark found: tables, and the sentences that explain them. */
public final class Section {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final String part;
  private final ObjectNode json = JsonNodeFactory.instance.objectNode();
  private final ArrayNode tables;
  private final ArrayNode notes;

  /**
   * @param part the name of the part, as {@code benchmark.parts} has it
   */
  public Section(String part, String title) {
    this.part = part;
    json.put("title", title);
    this.notes = json.putArray("notes");
    this.tables = json.putArray("tables");
  }

  /** A paragraph, above the tables. */
  public Section note(String text) {
    notes.add(text);
    return this;
  }

  /**
   * @param id tells the table from all others of the report
   */
  public ReportTable table(String id, String title, String... columns) {
    ReportTable table = new ReportTable(id, title, List.of(columns));
    tables.add(table.json());
    return table;
  }

  /** Writes what is known so far; what was written before is replaced. */
  public void save() throws IOException {
    Path file = file(part);
    Files.createDirectories(file.getParent());
    MAPPER.writeValue(file.toFile(), json);
  }

  static Path file(String part) {
    return Sizes.directory().resolve("parts").resolve(part + ".json");
  }
}
