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

/**
 * Why a scan does not use an index. The codes are stable: people search logs for them. Each is
 * explained in {@code docs/when-the-index-is-not-used.md}.
 */
enum NotUsedReason {
  TURNED_OFF(Consequence.SILENT, "indexes are turned off in this session"),
  NO_KEYS(Consequence.SILENT, "no filter asks for single values of a string, int or bigint column"),
  NO_INDEX(Consequence.SILENT, "the table has no index"),
  UNAVAILABLE(Consequence.SILENT, "indexes cannot be used in this application"),
  OTHER_COLUMN(Consequence.INFO, "no filter asks for single values of the indexed column"),
  TIME_TRAVEL(
      Consequence.INFO,
      "the query reads another snapshot, a branch, a tag, or changes between snapshots"),
  NO_CANDIDATES(Consequence.INFO, "Iceberg's own pruning leaves no file to read"),
  SMALL_SCAN(Consequence.INFO, "the scan is small"),
  TOO_MANY_KEYS(Consequence.INFO, "the filter has too many values"),
  UNKNOWN_SNAPSHOT(Consequence.INFO, "Iceberg does not tell which snapshot it planned"),
  INDEX_CHANGED(Consequence.INFO, "a sync, rollback or rebuild changed it during the lookup"),
  OTHER_TABLE(Consequence.WARN, "it is that of another table"),
  STALE(Consequence.WARN, "it is not synced to the snapshot that the query reads"),
  UNREADABLE(Consequence.WARN, "it cannot be read"),
  COLUMN_CHANGED(Consequence.FAIL, "the indexed column is not what it was at the last sync");

  /** What follows from a reason, apart from reading all candidate files. */
  enum Consequence {
    /** Nothing, or the index had no say. */
    SILENT,
    /** Told in log and EXPLAIN. */
    INFO,
    /** Told, and somebody should act. */
    WARN,
    /** The query fails. */
    FAIL
  }

  private final Consequence consequence;
  private final String sentence;

  NotUsedReason(Consequence consequence, String sentence) {
    this.consequence = consequence;
    this.sentence = sentence;
  }

  Consequence consequence() {
    return consequence;
  }

  /** For people, without capital and full stop. */
  String sentence() {
    return sentence;
  }
}
