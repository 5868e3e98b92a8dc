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
package org.apache.xtable.spark.extensions;

import java.util.stream.Stream;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.xtable.spark.extensions.PruningDecision.Used;

/**
 * A metric of a scan that used an index, in the Spark UI beside those of Iceberg.
 *
 * <p>Public, and with a constructor that takes nothing, because the Spark UI makes one by its class
 * name in order to add values up.
 */
public final class IndexMetric extends CustomSumMetric {
  private final String name;
  private final String description;

  /** For Spark only. */
  public IndexMetric() {
    this("", "");
  }

  private IndexMetric(Kind kind) {
    this(kind.metricName, kind.description);
  }

  private IndexMetric(String name, String description) {
    this.name = name;
    this.description = description;
  }

  /** All of them. */
  static CustomMetric[] all() {
    return Stream.of(Kind.values()).map(IndexMetric::new).toArray(CustomMetric[]::new);
  }

  /** Their values for a scan. */
  static CustomTaskMetric[] of(Used used) {
    ScanSize all = used.candidates();
    ScanSize selected = used.selected();
    return new CustomTaskMetric[] {
      new Value(Kind.SELECTED_FILES, selected.files()),
      new Value(Kind.SKIPPED_FILES, all.files() - selected.files()),
      new Value(Kind.SELECTED_ROW_GROUPS, selected.rowGroups()),
      new Value(Kind.SKIPPED_ROW_GROUPS, all.rowGroups() - selected.rowGroups()),
      new Value(Kind.SELECTED_BYTES, selected.bytes()),
      new Value(Kind.SKIPPED_BYTES, all.bytes() - selected.bytes()),
      new Value(Kind.KEYS, used.keys()),
      new Value(Kind.LOOKUP_MILLIS, used.lookupMillis())
    };
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  private enum Kind {
    SELECTED_FILES("indexSelectedFiles", "files selected by index"),
    SKIPPED_FILES("indexSkippedFiles", "files skipped by index"),
    SELECTED_ROW_GROUPS("indexSelectedRowGroups", "row groups selected by index"),
    SKIPPED_ROW_GROUPS("indexSkippedRowGroups", "row groups skipped by index"),
    SELECTED_BYTES("indexSelectedBytes", "bytes selected by index"),
    SKIPPED_BYTES("indexSkippedBytes", "bytes skipped by index"),
    KEYS("indexKeys", "keys looked up in index"),
    LOOKUP_MILLIS("indexLookupMillis", "index lookup time (ms)");

    private final String metricName;
    private final String description;

    Kind(String metricName, String description) {
      this.metricName = metricName;
      this.description = description;
    }
  }

  private static final class Value implements CustomTaskMetric {
    private final Kind kind;
    private final long value;

    Value(Kind kind, long value) {
      this.kind = kind;
      this.value = value;
    }

    @Override
    public String name() {
      return kind.metricName;
    }

    @Override
    public long value() {
      return value;
    }
  }
}
