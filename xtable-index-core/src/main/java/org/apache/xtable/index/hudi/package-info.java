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
 * How an index is stored: as an Apache Hudi table, version 9, at the Iceberg table's data path.
 *
 * <h2>On-disk form</h2>
 *
 * <p>{@code <data path>/.hoodie} is the only folder that is written. It holds
 *
 * <ul>
 *   <li>a copy-on-write Hudi table without record key, meta fields and partitions, whose base files
 *       are the Iceberg data files. They are registered as <em>external files</em> in commits
 *       (Hudi's {@code ExternalFilePathUtil}); the file id is the path relative to the data path.
 *       Nothing of the files themselves is touched;
 *   <li>the synced state ({@link org.apache.xtable.index.SyncedState}) as extra metadata of each of
 *       those commits: the last completed one tells what the index represents;
 *   <li>the metadata table {@code .hoodie/metadata} with the partitions {@code files} and {@code
 *       secondary_index_<column>}, and the index definition in {@code .hoodie/.index_defs};
 *   <li>our own folder {@code .hoodie/xtable_index}: a {@link
 *       org.apache.xtable.index.hudi.IndexManifest manifest} for each sync, which is what readers
 *       go by, and a {@link org.apache.xtable.index.hudi.SyncLock lock} while one is at work.
 * </ul>
 *
 * <p>An index entry is a record of Hudi's secondary index, version V2. Its key is {@code
 * <key>$<file path relative to the data path>_<row position>}, each half escaped by Hudi's {@code
 * SecondaryIndexKeyUtils}; the key's form is {@link org.apache.xtable.index.KeyEncoding}. There is
 * one entry for each value, file and row group: its position is that of the first row of the row
 * group that has the value. Rows with null have no entry. The file group of an entry follows from
 * the key alone ({@code HoodieTableMetadataUtil.mapRecordKeyToFileGroupIndex}).
 *
 * <h2>Order of a sync</h2>
 *
 * <p>Entries first, state last. The data commit's instant is requested, the metadata table commits
 * listing and entries at the same instant, the manifest is written, the data commit completes with
 * the new state. Until then readers see the old state, and Hudi ignores metadata of a pending
 * instant. Entries that no state refers to are never wrong, since a lookup's answer is intersected
 * with the files that a scan would read anyway; a missing entry would be, so a state is written
 * only when all entries of its files are.
 *
 * <p>This package, with its bridge in {@code org.apache.hudi.metadata}, is the only one that knows
 * Hudi.
 */
package org.apache.xtable.index.hudi;
