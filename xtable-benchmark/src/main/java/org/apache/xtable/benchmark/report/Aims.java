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
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;

/**
 * Holds what was found against what the project aims at. Nothing fails because an aim is missed.
 */
final class Aims {
  private final Findings findings;
  private final ReportTable table =
      new ReportTable("aims", "The aims", List.of("aim", "wanted", "found", "met"));

  private Aims(Findings findings) {
    this.findings = findings;
  }

  /** A section of one table; what was not measured is left blank. */
  static JsonNode section(Findings findings) {
    Aims aims = new Aims(findings);
    aims.queries();
    aims.lookups();
    aims.requests();
    aims.build();
    return new ObjectMapper()
        .createObjectNode()
        .put("title", "Aims")
        .<ObjectNode>set(
            "notes",
            new ObjectMapper()
                .createArrayNode()
                .add(
                    "Computed from the medians of this run. They are stated for the default sizes"
                        + " and a quiet machine."))
        .set("tables", new ObjectMapper().createArrayNode().add(aims.table.json()));
  }

  private void queries() {
    Map<String, String> needle = Map.of("files", "1000", "query", "needle");
    Optional<Double> index = findings.figure("queries", needle, "index");
    Optional<Double> plain = findings.figure("queries", needle, "plain Iceberg");
    Optional<Double> bloom = findings.figure("queries", needle, "bloom filters");
    Optional<Double> limit = findings.figure("queries", needle, "limit");
    atLeast("needle in 1,000 files: × faster than plain Iceberg", 50, quotient(plain, index));
    atLeast("needle in 1,000 files: × faster than bloom filters", 8, quotient(bloom, index));
    atMost("needle in 1,000 files: × the time of the limit", 1.25, quotient(index, limit));
  }

  private void lookups() {
    Map<String, String> oneKey = Map.of("index", "compacted", "lookup", "1 key, warm");
    Optional<Double> warm = findings.figure("lookups", oneKey, "ours");
    atMost("lookup of 1 key, warm: ms", 0.1, warm);
    atMost("lookup of 1 key, cold: ms", 15, ours("compacted", "1 key, cold"));
    atMost("lookup of 100 keys: ms", 5, ours("compacted", "100 keys, warm"));
    atMost("lookup of 10,000 keys: ms", 300, ours("compacted", "10,000 keys, warm"));
    atLeast(
        "lookup of 1 key, warm: × faster than Hudi's local reader",
        100,
        quotient(findings.figure("lookups", oneKey, "Hudi, local"), warm));
    atLeast(
        "lookup of 1 key, warm: × faster than Hudi in Spark",
        1000,
        quotient(findings.figure("lookups", oneKey, "Hudi, Spark"), warm));
    for (String lookup :
        new String[] {"1 key, warm", "1 key, cold", "100 keys, warm", "10,000 keys, warm"}) {
      atMost(
          lookup + ", three syncs not compacted: × the compacted one",
          3,
          quotient(ours("three syncs more", lookup), ours("compacted", lookup)));
    }
  }

  private Optional<Double> ours(String index, String lookup) {
    return findings.figure("lookups", Map.of("index", index, "lookup", lookup), "ours");
  }

  private void requests() {
    atMost(
        "requests to storage: no index, 60 queries in a minute",
        1,
        findings.figure("requests", Map.of("lookup", "no index, 60 in a minute"), "ours"));
    for (String index : new String[] {"compacted", "three syncs more"}) {
      atMost(
          "requests to storage: 1 key, warm, " + index,
          3,
          findings.figure("requests", Map.of("index", index, "lookup", "1 key, warm"), "ours"));
      atMost(
          "requests to storage: 1 key, cold, " + index,
          12,
          findings.figure("requests", Map.of("index", index, "lookup", "1 key, cold"), "ours"));
    }
  }

  private void build() {
    atLeast(
        "build of unique strings: rows/s",
        250_000,
        findings.figure("build", Map.of("what", "ours, the large table"), "rows/s"));
    atLeast(
        "build: × faster than Hudi's own",
        4,
        quotient(
            findings.figure("build", Map.of("what", "ours, the same rows as Hudi"), "rows/s"),
            findings.figure("build", Map.of("what", "Hudi"), "rows/s")));
    atMost(
        "index size: × the bytes of Hudi's record and secondary index",
        0.6,
        quotient(
            findings.figure("sizes", Map.of("index", "ours, the same rows as Hudi"), "MB"),
            findings.figure("sizes", Map.of("index", "Hudi's record and secondary index"), "MB")));
    atMost(
        "index of 1,000 distinct values: % of the data",
        1, findings.figure("sizes", Map.of("index", "ours, 1,000 distinct values"), "% of data"));
    Optional<Double> small = findings.figure("increments", Map.of("table", "x"), "update ms");
    Optional<Double> large = findings.figure("increments", Map.of("table", "10x"), "update ms");
    Optional<Double> build = findings.figure("increments", Map.of("table", "10x"), "build ms");
    atMost(
        "sync of 1 % more files: % of the build, beyond 5 s",
        3, combined(large, build, (update, all) -> Math.max(0, update - 5000) / all * 100));
    atMost(
        "the same 1 % more files: × the time in a table of a tenth",
        1.25,
        quotient(
            findings.figure("increments", Map.of("table", "10x, the rows of x"), "update ms"),
            small));
  }

  private static Optional<Double> quotient(Optional<Double> a, Optional<Double> b) {
    return combined(a, b, (x, y) -> x / y);
  }

  private static Optional<Double> combined(
      Optional<Double> a, Optional<Double> b, DoubleBinaryOperator operator) {
    return a.flatMap(x -> b.map(y -> operator.applyAsDouble(x, y)));
  }

  private void atLeast(String aim, double least, Optional<Double> found) {
    row(aim, "≥ " + Markdown.number(least), found, found.map(value -> value >= least));
  }

  private void atMost(String aim, double most, Optional<Double> found) {
    row(aim, "≤ " + Markdown.number(most), found, found.map(value -> value <= most));
  }

  private void row(String aim, String wanted, Optional<Double> found, Optional<Boolean> met) {
    table.row(aim, wanted, found.orElse(null), met.map(yes -> yes ? "yes" : "no").orElse(""));
  }
}
