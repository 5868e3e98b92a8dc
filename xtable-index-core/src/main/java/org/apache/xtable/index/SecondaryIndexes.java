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

/**
 * Finds the index in a table's data path and keeps what it opened for the next query.
 *
 * <p>Thread-safe. Whoever creates one closes it.
 */
public interface SecondaryIndexes extends AutoCloseable {
  /**
   * The index that a data path holds now.
   *
   * <p>Costs one listing of storage where there is no index, or where the same index was opened
   * before.
   *
   * @param dataPath the folder that holds the table's data files, any Hadoop file system
   * @return the index as its last completed sync left it, or empty if there is none
   * @throws IndexException if there is one that cannot be read
   */
  Optional<SecondaryIndex> find(String dataPath);

  @Override
  void close();
}
