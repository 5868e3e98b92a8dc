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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;

/**
 * The entries of several runs in one order, those that are in more than one run once. Which run's
 * entry it is does not matter, as all have the same value.
 *
 * <p>Not thread-safe.
 */
final class MergedEntries implements AutoCloseable {
  private final List<EntryScan> scans = new ArrayList<>();
  private final PriorityQueue<EntryScan> byKey =
      new PriorityQueue<>((one, other) -> Arrays.compareUnsigned(one.key(), other.key()));
  private byte[] key;
  private long entries;
  private long alsoInFirstRun;

  /**
   * @param folder that of the index partition
   */
  MergedEntries(HoodieStorage storage, StoragePath folder, List<EntryRun> runs) throws IOException {
    try {
      for (EntryRun run : runs) {
        EntryScan scan = new EntryScan(storage, folder, run);
        scans.add(scan);
        advance(scan);
      }
    } catch (IOException | RuntimeException e) {
      try {
        close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /** Goes on to the next entry, if there is one. */
  boolean next() throws IOException {
    if (byKey.isEmpty()) {
      return false;
    }
    key = byKey.peek().key();
    int runs = 0;
    boolean inFirstRun = false;
    while (!byKey.isEmpty() && Arrays.equals(byKey.peek().key(), key)) {
      EntryScan scan = byKey.poll();
      runs++;
      inFirstRun |= scan == scans.get(0);
      advance(scan);
    }
    entries++;
    alsoInFirstRun += inFirstRun && runs > 1 ? 1 : 0;
    return true;
  }

  private void advance(EntryScan scan) throws IOException {
    if (scan.next()) {
      byKey.add(scan);
    }
  }

  /** The key of the entry that {@link #next} went to. */
  byte[] key() {
    return key;
  }

  /** How many entries {@link #next} went to. */
  long entries() {
    return entries;
  }

  /** How many of them are in the first run and in another one too. */
  long alsoInFirstRun() {
    return alsoInFirstRun;
  }

  /** How many entries of the first run were read. */
  long readOfFirstRun() {
    return scans.get(0).entriesRead();
  }

  /** How many entries of all runs were read. */
  long read() {
    return scans.stream().mapToLong(EntryScan::entriesRead).sum();
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (EntryScan scan : scans) {
      try {
        scan.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
