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
package org.apache.iceberg.spark.source;

import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.PartitionScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;

/** A scan of a table as Iceberg planned it. Immutable. */
public final class PlannedScan {
  private final Table table;
  private final Schema schema;
  private final List<Expression> filters;
  private final boolean caseSensitive;
  private final boolean timeTravel;
  private final OptionalLong snapshotId;
  private final List<PartitionScanTask> tasks;

  PlannedScan(
      Table table,
      Schema schema,
      List<Expression> filters,
      boolean caseSensitive,
      boolean timeTravel,
      OptionalLong snapshotId,
      List<PartitionScanTask> tasks) {
    this.table = table;
    this.schema = schema;
    this.filters = List.copyOf(filters);
    this.caseSensitive = caseSensitive;
    this.timeTravel = timeTravel;
    this.snapshotId = snapshotId;
    this.tasks = List.copyOf(tasks);
  }

  public Table table() {
    return table;
  }

  /** The columns that the scan reads, those of its filters included. */
  public Schema schema() {
    return schema;
  }

  /** The pushed filters, not bound; a row that the query needs passes all of them. */
  public List<Expression> filters() {
    return filters;
  }

  public boolean caseSensitive() {
    return caseSensitive;
  }

  /**
   * Whether the query asked for something else than the table's current state: a snapshot, a time,
   * a branch, a tag, or what changed between snapshots.
   */
  public boolean timeTravel() {
    return timeTravel;
  }

  /** The snapshot whose files were planned; empty where Iceberg did not report one. */
  public OptionalLong snapshotId() {
    return snapshotId;
  }

  /** The candidate files, one task each. */
  public List<PartitionScanTask> tasks() {
    return tasks;
  }
}
