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
 * What an index is, whatever stores it and whatever uses it.
 *
 * <p>An index belongs to one {@link org.apache.xtable.index.IndexedColumn column} of one Iceberg
 * table and represents one snapshot of it, the <em>synced snapshot</em> ({@link
 * org.apache.xtable.index.SyncedState}). It answers one question ({@link
 * org.apache.xtable.index.SecondaryIndex#lookup}): which files, and from which row on, hold a key.
 * Keys are stored in the form that {@link org.apache.xtable.index.KeyEncoding} specifies.
 */
package org.apache.xtable.index;
