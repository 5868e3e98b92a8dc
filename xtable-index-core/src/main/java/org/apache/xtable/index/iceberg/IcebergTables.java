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
package org.apache.xtable.index.iceberg;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseMetadataTable;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.xtable.index.IndexException;

/**
 * Opens the tables of one catalog. Tables stay usable until this is closed.
 *
 * <p>Not thread-safe.
 */
public final class IcebergTables implements Closeable {
  private final Catalog catalog;

  private IcebergTables(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Opens a catalog.
   *
   * @param impl the class of the catalog; null if the options have a {@code type} or {@code
   *     catalog-impl}
   * @throws IndexException if it cannot be opened
   */
  public static IcebergTables ofCatalog(
      String impl, String name, Map<String, String> options, Configuration hadoopConf) {
    Objects.requireNonNull(name, "name is null");
    try {
      return new IcebergTables(
          impl == null
              ? CatalogUtil.buildIcebergCatalog(name, options, hadoopConf)
              : CatalogUtil.loadCatalog(impl, name, options, hadoopConf));
    } catch (RuntimeException e) {
      throw new IndexException(
          String.format("Cannot open Iceberg catalog '%s': %s", name, withRootCause(e)), e);
    }
  }

  /** The message, and that of what was behind it: a catalog often only says that it failed. */
  private static String withRootCause(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = String.valueOf(failure.getMessage());
    String rootMessage = String.valueOf(root.getMessage());
    return message.contains(rootMessage) ? message : message + ": " + rootMessage;
  }

  /**
   * Opens a table by its folder: one that needs no catalog, a <em>Hadoop table</em>.
   *
   * @throws IndexException if there is none
   */
  public static Table load(String tableBasePath, Configuration hadoopConf) {
    try {
      return requireData(new HadoopTables(hadoopConf).load(tableBasePath));
    } catch (NoSuchTableException e) {
      throw new NoTableException(
          String.format(
              "Cannot find table: '%s' is not the folder of a Hadoop table;"
                  + " a table of a catalog is found through that catalog",
              tableBasePath),
          e);
    } catch (RuntimeIOException e) {
      throw new NoTableException(
          String.format(
              "Cannot find table: cannot read '%s': %s",
              tableBasePath, e.getCause() == null ? e.getMessage() : e.getCause().getMessage()),
          e);
    }
  }

  /**
   * Opens a table by its name.
   *
   * @param namespace its levels joined by dots; empty for the root
   * @throws IndexException if there is none
   */
  public Table load(String namespace, String tableName) {
    TableIdentifier identifier =
        namespace.isEmpty()
            ? TableIdentifier.parse(tableName)
            : TableIdentifier.of(Namespace.of(namespace.split("\\.")), tableName);
    try {
      return requireData(catalog.loadTable(identifier));
    } catch (NoSuchTableException e) {
      throw new NoTableException(
          String.format(
              "Cannot find table: catalog '%s' has no table '%s'", catalog.name(), identifier),
          e);
    }
  }

  /** Refuses metadata tables, such as {@code t.files}: they have no data files of their own. */
  public static Table requireData(Table table) {
    if (table instanceof BaseMetadataTable) {
      throw new IndexException(
          String.format(
              "Cannot index %s: it is a metadata table; name the table itself", table.name()));
    }
    return table;
  }

  @Override
  public void close() {
    if (catalog instanceof Closeable) {
      try {
        ((Closeable) catalog).close();
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot close catalog " + catalog.name(), e);
      }
    }
  }
}
