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

import java.util.Objects;
import java.util.Optional;
import org.apache.xtable.index.IndexException;

/**
 * Whether a scan uses the index of its table: {@link Used} with what, or {@link NotUsed} and why.
 * The log, EXPLAIN, metrics and tests read this value.
 *
 * <p>Immutable.
 */
abstract class PruningDecision {
  private PruningDecision() {}

  /** One line for people. The same scan of the same table has the same. */
  abstract String summary();

  @Override
  public final String toString() {
    return summary();
  }

  /** The index told which files to read. */
  static final class Used extends PruningDecision {
    private final String column;
    private final int keys;
    private final ScanSize candidates;
    private final ScanSize selected;
    private final long lookupNanos;

    Used(String column, int keys, ScanSize candidates, ScanSize selected, long lookupNanos) {
      this.column = column;
      this.keys = keys;
      this.candidates = candidates;
      this.selected = selected;
      this.lookupNanos = lookupNanos;
    }

    /** The indexed column. */
    String column() {
      return column;
    }

    /** How many keys were looked up. */
    int keys() {
      return keys;
    }

    ScanSize candidates() {
      return candidates;
    }

    /** What is left to read. */
    ScanSize selected() {
      return selected;
    }

    /** How long finding the index and looking the keys up took, in milliseconds. */
    long lookupMillis() {
      return lookupNanos / 1_000_000;
    }

    @Override
    String summary() {
      return String.format(
          "used, %d of %d files, %s%s of %s, %d %s of column %s",
          selected.files(),
          candidates.files(),
          candidates.rowGroups() == candidates.files()
              ? ""
              : selected.rowGroups() + " of " + candidates.rowGroups() + " row groups, ",
          selected.readableBytes(),
          candidates.readableBytes(),
          keys,
          keys == 1 ? "key" : "keys",
          column);
    }
  }

  /** All candidate files are read. */
  static final class NotUsed extends PruningDecision {
    private final NotUsedReason reason;
    private final String detail;
    private final Throwable cause;

    private NotUsed(NotUsedReason reason, String detail, Throwable cause) {
      this.reason = Objects.requireNonNull(reason, "reason is null");
      this.detail = detail;
      this.cause = cause;
    }

    static NotUsed because(NotUsedReason reason) {
      return new NotUsed(reason, "", null);
    }

    /**
     * @param detail the particulars, and what to do about them
     */
    static NotUsed because(NotUsedReason reason, String detail) {
      return new NotUsed(reason, detail, null);
    }

    static NotUsed because(NotUsedReason reason, Throwable cause) {
      return new NotUsed(reason, messageOf(cause), cause);
    }

    /** With what is at the bottom of it, which those who wrap exceptions often leave out. */
    private static String messageOf(Throwable cause) {
      String message = cause instanceof IndexException ? cause.getMessage() : cause.toString();
      Throwable root = cause;
      while (root.getCause() != null && root.getCause() != root) {
        root = root.getCause();
      }
      return message.contains(String.valueOf(root.getMessage()))
          ? message
          : message + " (" + root + ")";
    }

    NotUsedReason reason() {
      return reason;
    }

    Optional<Throwable> cause() {
      return Optional.ofNullable(cause);
    }

    @Override
    String summary() {
      String sentence = "not used, " + reason + ": " + reason.sentence();
      return detail.isEmpty() ? sentence : sentence + ": " + detail;
    }
  }
}
