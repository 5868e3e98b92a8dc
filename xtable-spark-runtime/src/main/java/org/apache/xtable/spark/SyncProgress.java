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
package org.apache.xtable.spark;

import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;
import org.apache.xtable.index.iceberg.CoveredFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the reading and writing of entries is. Tasks count what they have done; the driver sees
 * it when a task ends, and logs it every ten seconds until this is closed.
 */
final class SyncProgress implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SyncProgress.class);
  private static final long SECONDS_BETWEEN_LINES = 10;

  private final String table;
  private final long allFiles;
  private final long allRows;
  private final int allFileGroups;
  private final LongAccumulator files;
  private final LongAccumulator rows;
  private final LongAccumulator fileGroups;
  private final LongSupplier nanoClock;
  private final long start;
  private final ScheduledExecutorService logging;

  private long writingSince;

  SyncProgress(
      SparkContext spark,
      String table,
      Collection<CoveredFile> files,
      int fileGroups,
      LongSupplier nanoClock) {
    this.table = table;
    this.allFiles = files.stream().filter(file -> file.rows() > 0).count();
    this.allRows = files.stream().mapToLong(CoveredFile::rows).sum();
    this.allFileGroups = fileGroups;
    this.files = spark.longAccumulator("index: data files read");
    this.rows = spark.longAccumulator("index: rows read");
    this.fileGroups = spark.longAccumulator("index: file groups written");
    this.nanoClock = nanoClock;
    this.start = nanoClock.getAsLong();
    this.logging =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "xtable-index-sync-progress");
              thread.setDaemon(true);
              return thread;
            });
    logging.scheduleWithFixedDelay(
        () -> LOG.info("{}", this), SECONDS_BETWEEN_LINES, SECONDS_BETWEEN_LINES, TimeUnit.SECONDS);
  }

  /** Counts a file whose first row was read. */
  LongAccumulator files() {
    return files;
  }

  LongAccumulator rows() {
    return rows;
  }

  LongAccumulator fileGroups() {
    return fileGroups;
  }

  /** One line for people: what is done of all, how fast, and how long the rest will take. */
  @Override
  public synchronized String toString() {
    // A task that is tried again counts again.
    long readFiles = Math.min(files.value(), allFiles);
    long readRows = Math.min(rows.value(), allRows);
    long now = nanoClock.getAsLong();
    if (readRows == allRows && writingSince == 0) {
      writingSince = now;
    }
    double readSeconds = seconds((writingSince == 0 ? now : writingSince) - start);
    String reading =
        String.format(
            Locale.ROOT,
            "Sync of %s: read %,d of %,d files, %,d of %,d rows, %,.0f rows/s%s",
            table,
            readFiles,
            allFiles,
            readRows,
            allRows,
            readSeconds == 0 ? 0 : readRows / readSeconds,
            left(readRows, allRows, readSeconds));
    if (readRows < allRows) {
      return reading;
    }
    long written = Math.min(fileGroups.value(), allFileGroups);
    return String.format(
        Locale.ROOT,
        "%s; sorted and wrote %,d of %,d file groups%s",
        reading,
        written,
        allFileGroups,
        left(written, allFileGroups, seconds(now - writingSince)));
  }

  private static String left(long done, long all, double seconds) {
    return done == 0 || done == all || seconds == 0
        ? ""
        : String.format(Locale.ROOT, ", about %,.0f s left", seconds / done * (all - done));
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }

  @Override
  public void close() {
    logging.shutdownNow();
    LOG.info("{}", this);
  }
}
