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
package org.apache.xtable.index.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.xtable.index.SyncedState;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** C14: one line a table, and an exit code. */
class TableSyncReportTest {
  private static final TableSyncReport UPDATED =
      TableSyncReport.builder("db.t", TableSyncReport.Action.UPDATED)
          .filesAdded(3)
          .filesRemoved(1)
          .entries(120)
          .bytes(4567)
          .duration(Duration.ofMillis(1250))
          .snapshotId(42)
          .build();

  private static final TableSyncReport FAILED =
      TableSyncReport.failed(
          "t", new IllegalStateException("two\n  lines \"q\" \\ é"), Duration.ofSeconds(2));

  @Test
  void lineSaysEverything() {
    assertThat(UPDATED.toLine())
        .isEqualTo(
            "db.t: UPDATED, snapshot 42, 3 files added, 1 removed, 120 entries, 4567 bytes, 1.3 s");
  }

  @Test
  void jsonSaysEverything() {
    assertThat(UPDATED.toJson())
        .isEqualTo(
            "{\"table\":\"db.t\",\"action\":\"UPDATED\",\"filesAdded\":3,\"filesRemoved\":1,"
                + "\"entries\":120,\"bytes\":4567,\"durationMs\":1250,\"snapshotId\":42,"
                + "\"reason\":null,\"error\":null}");
  }

  @Test
  void failureIsOneLineInBothForms() {
    assertThat(FAILED.toLine()).isEqualTo("t: FAILED after 2.0 s: two lines \"q\" \\ é");
    assertThat(FAILED.toJson())
        .endsWith("\"error\":\"two\\u000a  lines \\\"q\\\" \\\\ \\u00e9\"}")
        .doesNotContain("\n");
    assertThat(TableSyncReport.failed("t", new IllegalStateException(), Duration.ZERO).toLine())
        .endsWith("java.lang.IllegalStateException");
  }

  @Test
  @DisplayName("C14: of a failed Spark job the causes are told, not the stack traces")
  void stackTracesAreLeftOut() {
    String spark =
        String.join(
            "\n",
            "Job aborted due to stage failure: Lost task 0.0: a.B: Error",
            "\tat a.B.c(B.java:1)",
            "\tat a.B.d(B.java:2)",
            "Caused by: java.lang.IllegalStateException: look at this",
            "\tat a.B.c(B.java:3)",
            "\t... 37 more",
            "",
            "Driver stacktrace:");
    assertThat(
            TableSyncReport.failed("t", new IllegalStateException(spark), Duration.ZERO).toLine())
        .isEqualTo(
            "t: FAILED after 0.0 s: Job aborted due to stage failure: Lost task 0.0: a.B: Error"
                + " Caused by: java.lang.IllegalStateException: look at this");
  }

  @Test
  void tableWithoutSnapshotSaysSo() {
    TableSyncReport report =
        TableSyncReport.builder("t", TableSyncReport.Action.BUILT)
            .snapshotId(SyncedState.NO_SNAPSHOT)
            .build();
    assertThat(report.snapshotId()).isEmpty();
    assertThat(report.toLine()).contains("no snapshot");
  }

  @Test
  void exitCodeIsZeroOnlyIfAllTablesAreSynced() {
    assertThat(new SyncSummary(List.of(UPDATED, UPDATED)).exitCode()).isZero();
    SyncSummary summary = new SyncSummary(List.of(UPDATED, FAILED));
    assertThat(summary.exitCode()).isEqualTo(1);
    assertThat(summary.toLine()).isEqualTo("2 tables: 1 synced, 1 failed");
  }
}
