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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a sync of several tables did.
 *
 * <p>Immutable.
 */
public final class SyncSummary {
  /** Every table is synced. */
  public static final int EXIT_OK = 0;

  /** At least one table failed. */
  public static final int EXIT_FAILED = 1;

  /** Nothing was done: the command line or a config file is wrong. */
  public static final int EXIT_USAGE = 2;

  private final List<TableSyncReport> reports;

  public SyncSummary(List<TableSyncReport> reports) {
    this.reports = Collections.unmodifiableList(new ArrayList<>(reports));
  }

  /** One report a table, in the order of the config. */
  public List<TableSyncReport> reports() {
    return reports;
  }

  public long failed() {
    return reports.stream().filter(TableSyncReport::hasFailed).count();
  }

  public int exitCode() {
    return failed() == 0 ? EXIT_OK : EXIT_FAILED;
  }

  /** The last line of the report: {@code 3 tables: 2 synced, 1 failed}. */
  public String toLine() {
    return String.format(
        "%d table%s: %d synced, %d failed",
        reports.size(), reports.size() == 1 ? "" : "s", reports.size() - failed(), failed());
  }

  /** A line for each table, and {@link #toLine}. */
  @Override
  public String toString() {
    return Stream.concat(reports.stream().map(TableSyncReport::toLine), Stream.of(toLine()))
        .collect(Collectors.joining("\n"));
  }
}
