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
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.xtable.benchmark.measure.Sizes;

/** All sections of one run, with the machine that it ran on. */
public final class Report {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final List<String> SIZES =
      List.of(
          "scale",
          "runs",
          "warmups",
          "long.round",
          "long.runs",
          "files",
          "rows",
          "entries",
          "build.runs",
          "hudi.rows",
          "predicate.rows",
          "projection.rows");

  private final ObjectNode json = JsonNodeFactory.instance.objectNode();
  private final ArrayNode sections;

  /** Describes the machine as it is now, before the run. */
  public Report() {
    json.set("machine", Machine.describe());
    ObjectNode sizes = json.putObject("sizes");
    SIZES.forEach(size -> sizes.put("benchmark." + size, Sizes.text(size)));
    this.sections = json.putArray("sections");
  }

  /** Adds what a part has saved, if it has. */
  public void add(String part) throws IOException {
    Path file = Section.file(part);
    if (Files.exists(file)) {
      sections.add(MAPPER.readTree(file.toFile()));
    }
  }

  /**
   * Writes {@code benchmark.json}, {@code benchmark.md} and, if queries were measured, {@code
   * queries.svg}.
   *
   * @return the Markdown
   */
  public String write() throws IOException {
    sections.insert(0, Aims.section(new Findings(sections)));
    Path directory = Sizes.directory();
    MAPPER.writeValue(directory.resolve("benchmark.json").toFile(), json);
    String markdown = Markdown.of(json);
    Files.writeString(directory.resolve("benchmark.md"), markdown, StandardCharsets.UTF_8);
    Optional<JsonNode> queries = new Findings(sections).table(QueryPlot.TABLE);
    if (queries.isPresent()) {
      Files.writeString(
          directory.resolve("queries.svg"), QueryPlot.of(queries.get()), StandardCharsets.UTF_8);
    }
    return markdown;
  }
}
