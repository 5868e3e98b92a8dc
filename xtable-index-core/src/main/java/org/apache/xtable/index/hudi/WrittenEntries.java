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

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hudi.common.model.HoodieWriteStat;

/** How many entries a sync wrote, and in how many bytes. Not thread-safe. */
public final class WrittenEntries {
  private long entries;
  private long bytes;
  private List<EntryRun> runs = Collections.emptyList();

  WrittenEntries() {}

  public long entries() {
    return entries;
  }

  public long bytes() {
    return bytes;
  }

  List<EntryRun> runs() {
    return runs;
  }

  /** Has the entries written and counts them. */
  List<HoodieWriteStat> write(EntrySource source, EntrySink sink) {
    List<WrittenFile> files = source.writeTo(sink);
    sink.deleteAllBut(files);
    entries = files.stream().mapToLong(WrittenFile::entries).sum();
    bytes = files.stream().mapToLong(WrittenFile::bytes).sum();
    runs = files.stream().flatMap(file -> file.runs().stream()).collect(Collectors.toList());
    return files.stream().map(WrittenFile::stat).collect(Collectors.toList());
  }
}
