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
package org.apache.xtable.index;

import java.util.Collection;

/**
 * The index of one column as one sync left it. It never changes: a later sync makes another one.
 *
 * <p>Thread-safe.
 */
public interface SecondaryIndex {
  /** What the index represents: the table, its snapshot and the column. */
  SyncedState state();

  /**
   * Finds the files that hold the keys.
   *
   * <p>Files that the table no longer has may be among them, so intersect the answer with the
   * candidate files. Every covered file of the synced snapshot that holds a key is among them.
   *
   * @param keys values of the indexed column: {@link CharSequence} for a string column, {@link
   *     Integer} or {@link Long} for an int or bigint one; no nulls
   * @return where the keys are; empty where no file holds any
   * @throws IndexException if the index cannot be read
   */
  KeyLocations lookup(Collection<?> keys);

  /**
   * Whether this is still what the storage holds: false once a sync, rollback or rebuild changed
   * the index. An answer of {@link #lookup} may be used only if this is true after it.
   *
   * <p>Costs one listing of storage.
   *
   * @throws IndexException if the storage cannot be read
   */
  boolean isCurrent();
}
