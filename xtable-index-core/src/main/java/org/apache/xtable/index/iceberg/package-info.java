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
