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

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.xtable.index.IndexException;

/**
 * How the index of one table is to be written: the {@code targetProperties.HUDI} of a dataset.
 *
 * <p>Immutable.
 */
public final class HudiTarget {
  /** The version of the Hudi table; only {@value #TABLE_VERSION_VALUE}, the default. */
  public static final String TABLE_VERSION = "xtable.hudi.target.table_version";

  /** What writes the index; only {@value #EXECUTION_ENGINE_VALUE}, the default. */
  public static final String EXECUTION_ENGINE = "xtable.hudi.target.execution.engine";

  /** The column to index; required. */
  public static final String COLUMN = "xtable.hudi.target.secondary.index.column";

  /** Fewest file groups of the index; default {@value #DEFAULT_MIN_FILE_GROUPS}. */
  public static final String MIN_FILE_GROUPS =
      "xtable.hudi.target.metadata.record.index.min.filegroup.count";

  /** Most file groups of the index; default {@value #DEFAULT_MAX_FILE_GROUPS}. */
  public static final String MAX_FILE_GROUPS =
      "xtable.hudi.target.metadata.record.index.max.filegroup.count";

  /** Most tasks that read values; default as many as Spark plans for the files. */
  public static final String PARALLELISM =
      "xtable.hudi.target.metadata.index.secondary.parallelism";

  public static final int DEFAULT_MIN_FILE_GROUPS = 1;

  /** Hudi's own default for its record index. */
  public static final int DEFAULT_MAX_FILE_GROUPS = 10000;

  /** No limit. */
  public static final int DEFAULT_PARALLELISM = Integer.MAX_VALUE;

  static final String TABLE_VERSION_VALUE = "9";
  static final String EXECUTION_ENGINE_VALUE = "spark";

  static final List<String> SETTINGS =
      Collections.unmodifiableList(
          Arrays.asList(
              COLUMN,
              MIN_FILE_GROUPS,
              MAX_FILE_GROUPS,
              PARALLELISM,
              TABLE_VERSION,
              EXECUTION_ENGINE));

  private final String column;
  private final int minFileGroups;
  private final int maxFileGroups;
  private final int parallelism;

  private HudiTarget(String column, int minFileGroups, int maxFileGroups, int parallelism) {
    this.column = column;
    this.minFileGroups = minFileGroups;
    this.maxFileGroups = maxFileGroups;
    this.parallelism = parallelism;
  }

  /** An index of a column, everything else being the default. */
  public static HudiTarget ofColumn(String column) {
    Objects.requireNonNull(column, "column is null");
    return new HudiTarget(
        column, DEFAULT_MIN_FILE_GROUPS, DEFAULT_MAX_FILE_GROUPS, DEFAULT_PARALLELISM);
  }

  /**
   * @throws IndexException unless {@code 1 <= min <= max}
   */
  public HudiTarget withFileGroups(int min, int max) {
    if (min < 1 || max < min) {
      throw new IndexException(
          String.format(
              "Cannot set file groups of the index: expected 1 <= min <= max but got %d and %d",
              min, max));
    }
    return new HudiTarget(column, min, max, parallelism);
  }

  /**
   * @throws IndexException unless {@code 1 <= tasks}
   */
  public HudiTarget withParallelism(int tasks) {
    if (tasks < 1) {
      throw new IndexException(
          "Cannot set parallelism of the index build: expected at least 1 but got " + tasks);
    }
    return new HudiTarget(column, minFileGroups, maxFileGroups, tasks);
  }

  /** The name of the column to index, as it is written in the table's schema. */
  public String column() {
    return column;
  }

  public int minFileGroups() {
    return minFileGroups;
  }

  public int maxFileGroups() {
    return maxFileGroups;
  }

  /** The most tasks that read values, {@link #DEFAULT_PARALLELISM} if nothing limits them. */
  public int parallelism() {
    return parallelism;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof HudiTarget)) {
      return false;
    }
    HudiTarget that = (HudiTarget) other;
    return column.equals(that.column)
        && minFileGroups == that.minFileGroups
        && maxFileGroups == that.maxFileGroups
        && parallelism == that.parallelism;
  }

  @Override
  public int hashCode() {
    return Objects.hash(column, minFileGroups, maxFileGroups, parallelism);
  }

  @Override
  public String toString() {
    return String.format(
        "HudiTarget(column %s, %d to %d file groups, %s)",
        column,
        minFileGroups,
        maxFileGroups,
        parallelism == DEFAULT_PARALLELISM ? "any parallelism" : "parallelism " + parallelism);
  }
}
