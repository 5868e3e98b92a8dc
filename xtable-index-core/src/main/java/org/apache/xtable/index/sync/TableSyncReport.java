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

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.xtable.index.SyncedState;

/**
 * What the sync of one table did.
 *
 * <p>Immutable.
 */
public final class TableSyncReport {
  private static final Pattern STACK_TRACE =
      Pattern.compile(
          "\\R(\\s+at [^\\r\\n]*|\\s+\\.\\.\\. \\d+ more|\\s*|Driver stacktrace:)(?=\\R|$)");

  /** How it ended. */
  public enum Action {
    /** There was no index; now there is. */
    BUILT,
    /** The index moved to the snapshot. */
    UPDATED,
    /** The index was replaced by a new one. */
    REBUILT,
    /** The index was at the snapshot already; nothing was committed. */
    UNCHANGED,
    /** The index is as it was before. */
    FAILED
  }

  private final String tableName;
  private final Action action;
  private final long filesAdded;
  private final long filesRemoved;
  private final long entries;
  private final long bytes;
  private final Duration duration;
  private final Long snapshotId;
  private final String reason;
  private final Throwable error;

  private TableSyncReport(Builder builder) {
    this.tableName = builder.tableName;
    this.action = builder.action;
    this.filesAdded = builder.filesAdded;
    this.filesRemoved = builder.filesRemoved;
    this.entries = builder.entries;
    this.bytes = builder.bytes;
    this.duration = builder.duration;
    this.snapshotId = builder.snapshotId;
    this.reason = builder.reason;
    this.error = builder.error;
  }

  public static Builder builder(String tableName, Action action) {
    return new Builder(tableName, action);
  }

  public static TableSyncReport failed(String tableName, Throwable error, Duration duration) {
    Objects.requireNonNull(error, "error is null");
    Builder builder = builder(tableName, Action.FAILED).duration(duration);
    builder.error = error;
    return builder.build();
  }

  public String tableName() {
    return tableName;
  }

  public Action action() {
    return action;
  }

  public boolean hasFailed() {
    return action == Action.FAILED;
  }

  /** Data files whose values were read and indexed. */
  public long filesAdded() {
    return filesAdded;
  }

  /** Data files that the table no longer has since the last sync. */
  public long filesRemoved() {
    return filesRemoved;
  }

  /** Entries that were written. */
  public long entries() {
    return entries;
  }

  /** Bytes that were written to the index. */
  public long bytes() {
    return bytes;
  }

  public Duration duration() {
    return duration;
  }

  /** The synced snapshot; empty for a table without one, and after a failure. */
  public Optional<Long> snapshotId() {
    return Optional.ofNullable(snapshotId);
  }

  /** Why this was done, if there is more to say than the action: why a rebuild, say. */
  public Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  public Optional<Throwable> error() {
    return Optional.ofNullable(error);
  }

  /** One line for people. */
  public String toLine() {
    String time = String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    if (hasFailed()) {
      return oneLine(String.format("%s: FAILED after %s: %s", tableName, time, message()));
    }
    return oneLine(
        String.format(
            Locale.ROOT,
            "%s: %s, %s, %d files added, %d removed, %d entries, %d bytes, %s%s",
            tableName,
            action,
            snapshotId == null ? "no snapshot" : "snapshot " + snapshotId,
            filesAdded,
            filesRemoved,
            entries,
            bytes,
            time,
            reason == null ? "" : " (" + reason + ")"));
  }

  /** One line for programs: a JSON object; {@code snapshotId} and {@code error} may be null. */
  public String toJson() {
    return new JsonLine()
        .add("table", tableName)
        .add("action", action.name())
        .add("filesAdded", filesAdded)
        .add("filesRemoved", filesRemoved)
        .add("entries", entries)
        .add("bytes", bytes)
        .add("durationMs", duration.toMillis())
        .add("snapshotId", snapshotId)
        .add("reason", reason)
        .add("error", error == null ? null : message())
        .toString();
  }

  /** Without the stack traces that Spark puts into the message of a failed job. */
  private String message() {
    return error.getMessage() == null
        ? error.getClass().getName()
        : STACK_TRACE.matcher(error.getMessage()).replaceAll("").trim();
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }

  @Override
  public String toString() {
    return toLine();
  }

  /** Counts are 0 and the snapshot is none unless set. Not thread-safe. */
  public static final class Builder {
    private final String tableName;
    private final Action action;
    private long filesAdded;
    private long filesRemoved;
    private long entries;
    private long bytes;
    private Duration duration = Duration.ZERO;
    private Long snapshotId;
    private String reason;
    private Throwable error;

    private Builder(String tableName, Action action) {
      this.tableName = Objects.requireNonNull(tableName, "tableName is null");
      this.action = Objects.requireNonNull(action, "action is null");
    }

    public Builder filesAdded(long files) {
      this.filesAdded = files;
      return this;
    }

    public Builder filesRemoved(long files) {
      this.filesRemoved = files;
      return this;
    }

    public Builder entries(long written) {
      this.entries = written;
      return this;
    }

    public Builder bytes(long written) {
      this.bytes = written;
      return this;
    }

    public Builder duration(Duration taken) {
      this.duration = Objects.requireNonNull(taken, "taken is null");
      return this;
    }

    /**
     * @param id the synced snapshot or {@link SyncedState#NO_SNAPSHOT}
     */
    public Builder snapshotId(long id) {
      this.snapshotId = id == SyncedState.NO_SNAPSHOT ? null : id;
      return this;
    }

    public Builder reason(String why) {
      this.reason = why;
      return this;
    }

    public TableSyncReport build() {
      return new TableSyncReport(this);
    }
  }
}
