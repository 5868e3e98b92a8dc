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
package org.apache.hudi.metadata;

import java.io.IOException;
import java.io.Serializable;
import org.apache.hudi.common.model.CompactionOperation;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.storage.StoragePath;

/**
 * Merges the files of a file group into a new base file, in place of Hudi. It goes to the tasks
 * that compact.
 */
public interface FileGroupMerge extends Serializable {
  /** Whether an operation of a compaction can be merged. Hudi compacts what cannot. */
  boolean canMerge(CompactionOperation operation) throws IOException;

  /**
   * Writes all records of an operation's files.
   *
   * <p>Whatever it throws, Hudi then compacts the file group.
   *
   * @param baseFile the file to write
   * @return how much was read and written; the caller adds which file it was
   */
  HoodieWriteStat merge(CompactionOperation operation, StoragePath baseFile) throws IOException;
}
