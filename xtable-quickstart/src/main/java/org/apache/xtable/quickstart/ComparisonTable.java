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
package org.apache.xtable.quickstart;

import java.util.List;
import java.util.Locale;

/** The report: one line a query, and below the table how each scan describes itself. */
final class ComparisonTable {
  private static final String LINE = "%-16s %5s %9s %9s %6s %6s %9s %9s %9s %9s%n";

  private ComparisonTable() {}

  static String of(List<Comparison> comparisons) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%n" + LINE + LINE,
            "",
            "",
            "median ms",
            "",
            "files",
            "",
            "records",
            "",
            "MB read",
            "",
            "query",
            "rows",
            "without",
            "with",
            "w/o",
            "with",
            "without",
            "with",
            "without",
            "with"));
    for (Comparison comparison : comparisons) {
      text.append(line(comparison));
    }
    text.append(
        String.format("%nTime includes planning and the lookup; MB read is that of the tasks.%n"));
    for (Comparison comparison : comparisons) {
      text.append(
          String.format("%n%s: %s", comparison.query().name(), decision(comparison.with().scan())));
    }
    return text.append(System.lineSeparator()).toString();
  }

  private static String line(Comparison comparison) {
    Run without = comparison.without();
    Run with = comparison.with();
    return String.format(
        Locale.ROOT,
        LINE,
        comparison.query().name(),
        with.sortedRows().size(),
        number(without.milliseconds()),
        number(with.milliseconds()),
        without.files(),
        with.files(),
        String.format(Locale.ROOT, "%,d", without.input().records()),
        String.format(Locale.ROOT, "%,d", with.input().records()),
        number(without.input().bytes() / 1e6),
        number(with.input().bytes() / 1e6));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
  }

  /** The index' part of a scan's description; the rest, if there is none, without its middle. */
  private static String decision(String description) {
    int index = description.lastIndexOf("[index: ");
    if (index >= 0) {
      return description.substring(index);
    }
    int keep = 150;
    return description.length() <= 2 * keep
        ? description
        : description.substring(0, keep)
            + " … "
            + description.substring(description.length() - keep);
  }
}
