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
package org.apache.xtable.index.hudi;

import java.io.Serializable;
import java.util.List;
import org.apache.hudi.common.model.HoodieWriteStat;

/** A file that {@link EntrySink} wrote, on its way to the driver. Immutable. */
public final class WrittenFile implements Serializable {
  private static final long serialVersionUID = 1L;

  private final HoodieWriteStat stat;
  private final List<EntryRun> runs;

  WrittenFile(HoodieWriteStat stat, List<EntryRun> runs) {
    this.stat = stat;
    this.runs = runs;
  }

  /** The runs of entries in the file. */
  List<EntryRun> runs() {
    return runs;
  }

  HoodieWriteStat stat() {
    return stat;
  }

  long entries() {
    return stat.getNumWrites();
  }

  long bytes() {
    return stat.getFileSizeInBytes();
  }

  String name() {
    return stat.getPath().substring(stat.getPath().lastIndexOf('/') + 1);
  }
}
