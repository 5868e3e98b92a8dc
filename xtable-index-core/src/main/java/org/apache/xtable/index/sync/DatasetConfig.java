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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.xtable.index.IndexException;

/**
 * Which tables to index, and how: the dataset config that Apache XTable's users know.
 *
 * <pre>
 * sourceFormat: ICEBERG
 * targetFormats:
 *   - HUDI
 * datasets:
 *   - tableBasePath: s3://bucket/warehouse/db/orders
 *     tableDataPath: s3://bucket/warehouse/db/orders/data  # optional
 *     tableName: orders
 *     namespace: db                                        # where a catalog finds the table
 *     targetProperties:
 *       HUDI:
 *         xtable.hudi.target.secondary.index.column: customer
 * </pre>
 *
 * <p>{@code targetProperties} may also stand beside {@code datasets}, for all datasets that have
 * none of their own.
 *
 * <p>Immutable.
 */
public final class DatasetConfig {
  static final String SOURCE_FORMAT = "ICEBERG";
  static final String TARGET_FORMAT = "HUDI";

  private final List<Dataset> datasets;

  private DatasetConfig(List<Dataset> datasets) {
    this.datasets = Collections.unmodifiableList(new ArrayList<>(datasets));
  }

  public static DatasetConfig of(Dataset... datasets) {
    return of(Arrays.asList(datasets));
  }

  public static DatasetConfig of(List<Dataset> datasets) {
    return new DatasetConfig(datasets);
  }

  /**
   * Reads a config.
   *
   * @param yaml the text of the file; not null
   * @param origin where the text comes from, for messages; not null
   * @throws InvalidConfigException naming everything that is wrong with it
   */
  public static DatasetConfig parse(String yaml, String origin) {
    Objects.requireNonNull(yaml, "yaml is null");
    Objects.requireNonNull(origin, "origin is null");
    return new DatasetConfigReader(origin).read(yaml);
  }

  /** The tables, in the order of the file; at least one if it was read from a file. */
  public List<Dataset> datasets() {
    return datasets;
  }

  /**
   * @throws IndexException if there is nothing to sync
   */
  public DatasetConfig requireAny() {
    if (datasets.isEmpty()) {
      throw new IndexException("Cannot sync: the dataset config names no table");
    }
    return this;
  }

  @Override
  public String toString() {
    return "DatasetConfig" + datasets;
  }

  /**
   * One table and its index.
   *
   * <p>Immutable.
   */
  public static final class Dataset {
    private final String tableBasePath;
    private final String tableDataPath;
    private final String tableName;
    private final String namespace;
    private final HudiTarget target;

    private Dataset(
        String tableBasePath,
        String tableDataPath,
        String tableName,
        String namespace,
        HudiTarget target) {
      this.tableBasePath = tableBasePath;
      this.tableDataPath = tableDataPath;
      this.tableName = Objects.requireNonNull(tableName, "tableName is null");
      this.namespace = namespace;
      this.target = Objects.requireNonNull(target, "target is null");
    }

    /** A table that is found by the path of its folder. */
    public static Dataset atPath(String tableBasePath, String tableName, HudiTarget target) {
      Objects.requireNonNull(tableBasePath, "tableBasePath is null");
      return new Dataset(tableBasePath, null, tableName, null, target);
    }

    /** A table that a catalog finds by its name. */
    public static Dataset inCatalog(String namespace, String tableName, HudiTarget target) {
      Objects.requireNonNull(namespace, "namespace is null");
      return new Dataset(null, null, tableName, namespace, target);
    }

    static Dataset read(
        Optional<String> tableBasePath,
        Optional<String> tableDataPath,
        String tableName,
        Optional<String> namespace,
        HudiTarget target) {
      return new Dataset(
          tableBasePath.orElse(null),
          tableDataPath.orElse(null),
          tableName,
          namespace.orElse(null),
          target);
    }

    /** The table's folder. */
    public Optional<String> tableBasePath() {
      return Optional.ofNullable(tableBasePath);
    }

    /**
     * Where the user says that the data files are. The table itself knows; this can only agree with
     * it.
     */
    public Optional<String> tableDataPath() {
      return Optional.ofNullable(tableDataPath);
    }

    public String tableName() {
      return tableName;
    }

    /** The levels of the namespace, joined by dots; empty text is the root. */
    public Optional<String> namespace() {
      return Optional.ofNullable(namespace);
    }

    public HudiTarget target() {
      return target;
    }

    /** The table as a person would name it: {@code namespace.tableName}. */
    public String name() {
      return namespace == null || namespace.isEmpty() ? tableName : namespace + "." + tableName;
    }

    @Override
    public String toString() {
      return name() + (tableBasePath == null ? "" : " at " + tableBasePath);
    }
  }
}
