/**
 * What an index is of: the data files of one Iceberg table.
 *
 * <p>{@link org.apache.xtable.index.iceberg.TableDataPath} says where they are, {@link
 * org.apache.xtable.index.iceberg.CoveredFiles} which of them an index holds, {@link
 * org.apache.xtable.index.iceberg.TableFiles} which a snapshot has and how two snapshots differ,
 * {@link org.apache.xtable.index.iceberg.IndexableColumn} which column can be indexed. {@link
 * org.apache.xtable.index.iceberg.IcebergTables} opens the table.
 *
 * <p>Only Iceberg's public API is used, and nothing below {@code org.apache.iceberg.shaded}.
 */
package org.apache.xtable.index.iceberg;
