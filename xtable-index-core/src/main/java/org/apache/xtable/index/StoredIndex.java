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

import java.util.Optional;
import java.util.Set;

/** An index as the last completed sync left it, or the lack of one; what a sync is planned by. */
public interface StoredIndex {
  /** What the index represents; empty if there is none or its first build never completed. */
  Optional<SyncedState> state();

  /**
   * The relative paths of the files that the index covers at its synced snapshot; empty without an
   * index. Takes longer than {@link #state}, the more so the more files there are.
   */
  Set<String> coveredFiles();

  /** Whether an index of so many rows would be laid out for far more than this one is. */
  boolean isOutgrownBy(long rows);
}
