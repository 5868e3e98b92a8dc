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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hudi.metadata.SecondaryIndexKeyUtils;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.KeyLocations;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SyncedState;

/** An index as one completed sync left it. Thread-safe. */
final class HudiSecondaryIndex implements SecondaryIndex {
  private final IndexTable table;
  private final String instant;
  private final IndexManifest manifest;
  private final ParallelReads parallelReads;
  private final Consumer<IndexException> onFailure;
  private final Map<Integer, List<EntryRunReader>> runsByFileGroup = new HashMap<>();

  /**
   * @param onFailure told when the index turned out to be unreadable
   */
  HudiSecondaryIndex(
      IndexTable table,
      String instant,
      IndexManifest manifest,
      EntryCache cache,
      ParallelReads parallelReads,
      Consumer<IndexException> onFailure) {
    this.table = table;
    this.instant = instant;
    this.manifest = manifest;
    this.parallelReads = parallelReads;
    this.onFailure = onFailure;
    StoragePath folder = table.partitionFolder(manifest.partition());
    for (EntryRun run : manifest.runs()) {
      runsByFileGroup
          .computeIfAbsent(run.fileGroup(), ignored -> new ArrayList<>())
          .add(new EntryRunReader(manifest.buildId(), folder, run, cache));
    }
  }

  /** The instant of the sync. */
  String instant() {
    return instant;
  }

  @Override
  public SyncedState state() {
    return manifest.state();
  }

  @Override
  public KeyLocations lookup(Collection<?> keys) {
    Map<Integer, List<byte[]>> prefixes = new TreeMap<>();
    for (Object key : keys) {
      String prefix = EntryKey.prefix(key);
      prefixes
          .computeIfAbsent(
              EntryKey.fileGroup(prefix, manifest.fileGroups()), ignored -> new ArrayList<>())
          .add(prefix.getBytes(StandardCharsets.UTF_8));
    }
    KeyLocations.Builder locations = KeyLocations.builder();
    try {
      List<Callable<List<String>>> reads = new ArrayList<>();
      HoodieStorage storage = table.storage();
      prefixes.forEach(
          (fileGroup, ofGroup) -> {
            ofGroup.sort(Arrays::compareUnsigned);
            for (EntryRunReader run : runsByFileGroup.getOrDefault(fileGroup, List.of())) {
              if (!run.findInMemory(ofGroup, recordKey -> add(recordKey, locations))) {
                reads.add(() -> read(run, storage, ofGroup));
              }
            }
          });
      if (!reads.isEmpty()) {
        parallelReads
            .run(reads)
            .forEach(found -> found.forEach(recordKey -> add(recordKey, locations)));
      }
    } catch (IOException | RuntimeException e) {
      IndexException failure =
          new IndexException(
              "Cannot look up keys in the index below " + table.dataPath() + ": " + e.getMessage(),
              e);
      onFailure.accept(failure);
      throw failure;
    }
    return locations.build();
  }

  private static List<String> read(EntryRunReader run, HoodieStorage storage, List<byte[]> prefixes)
      throws IOException {
    List<String> recordKeys = new ArrayList<>();
    run.find(storage, prefixes, recordKeys::add);
    return recordKeys;
  }

  private static void add(String escapedRecordKey, KeyLocations.Builder locations) {
    String recordKey = SecondaryIndexKeyUtils.unescapeSpecialChars(escapedRecordKey);
    locations.add(EntryKey.file(recordKey), EntryKey.position(recordKey));
  }

  @Override
  public boolean isCurrent() {
    return table.lastSync().equals(Optional.of(instant));
  }
}
