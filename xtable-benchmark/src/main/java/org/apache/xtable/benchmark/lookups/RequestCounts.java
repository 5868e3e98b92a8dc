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
package org.apache.xtable.benchmark.lookups;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.xtable.benchmark.measure.HudiLookup;
import org.apache.xtable.benchmark.measure.IndexCopies;
import org.apache.xtable.benchmark.measure.KeyTable;
import org.apache.xtable.benchmark.measure.Sizes;
import org.apache.xtable.benchmark.report.ReportTable;
import org.apache.xtable.benchmark.report.Section;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SecondaryIndexes;
import org.apache.xtable.index.hudi.HudiSecondaryIndexes;

/** Counts what lookups ask of storage. */
final class RequestCounts {
  private static final double MILLIS_OF_A_REQUEST = 30;
  private static final int QUERIES = 60;
  private static final int MINUTES_SEEN = 10;

  private final ReportTable table;

  RequestCounts(Section section) {
    this.table =
        section.table(
            "requests",
            "Requests to storage, and what they would take at 30 ms each, one after the other",
            "index",
            "lookup",
            "ours",
            "Hudi, local",
            "ours: ms",
            "Hudi, local: ms");
  }

  void measure() throws IOException {
    noIndex();
    for (IndexCopies index : IndexCopies.values()) {
      lookups(index);
    }
  }

  private void noIndex() throws IOException {
    Path folder = Files.createDirectories(Sizes.directory().resolve("no-index"));
    CountingFileSystem.Requests requests = new CountingFileSystem.Requests();
    AtomicLong seconds = new AtomicLong();
    try (SecondaryIndexes indexes =
        new HudiSecondaryIndexes(requests.conf(), () -> TimeUnit.SECONDS.toNanos(seconds.get()))) {
      queryForAMinute(indexes, folder, seconds);
      row("", "no index, 60 in the first minute", requests.take(), null);
      for (int minute = 1; minute < MINUTES_SEEN; minute++) {
        queryForAMinute(indexes, folder, seconds);
      }
      requests.take();
      queryForAMinute(indexes, folder, seconds);
      row("", "no index, 60 in a minute", requests.take(), null);
    }
  }

  private static void queryForAMinute(SecondaryIndexes indexes, Path folder, AtomicLong seconds) {
    for (int query = 0; query < QUERIES; query++) {
      seconds.incrementAndGet();
      if (indexes.find(folder.toUri().toString()).isPresent()) {
        throw new IllegalStateException("There is an index in " + folder);
      }
    }
  }

  private void lookups(IndexCopies index) {
    CountingFileSystem.Requests requests = new CountingFileSystem.Requests();
    try (SecondaryIndexes indexes = new HudiSecondaryIndexes(requests.conf());
        Hudi hudi = new Hudi(index)) {
      lookup(index, "1 key, cold", 1, 1, indexes, requests, hudi);
      lookup(index, "1 key, warm", 1, 1, indexes, requests, hudi);
      lookup(index, "1 key, other key", 1, 2, indexes, requests, hudi);
      lookup(index, "100 keys", 100, 3, indexes, requests, hudi);
      lookup(index, "10,000 keys", 10_000, 4, indexes, requests, hudi);
    }
  }

  private void lookup(
      IndexCopies index,
      String lookup,
      int keys,
      long seed,
      SecondaryIndexes indexes,
      CountingFileSystem.Requests requests,
      Hudi hudi) {
    List<String> lookedUp = LookupKeys.random(keys, seed);
    requests.take();
    SecondaryIndex found = indexes.find(index.dataPath()).orElseThrow();
    found.lookup(lookedUp);
    if (!found.isCurrent()) {
      throw new IllegalStateException("Cannot measure an index that changes");
    }
    row(index.title(), lookup, requests.take(), hudi.requests(lookedUp));
  }

  private void row(String index, String lookup, long ours, Long hudi) {
    table.row(
        index,
        lookup,
        ours,
        hudi,
        ours * MILLIS_OF_A_REQUEST,
        hudi == null ? null : hudi * MILLIS_OF_A_REQUEST);
  }

  /** Hudi's local reader, opened at the first lookup. */
  private static final class Hudi implements AutoCloseable {
    private final CountingFileSystem.Requests requests = new CountingFileSystem.Requests();
    private final IndexCopies index;
    private HudiLookup lookup;

    Hudi(IndexCopies index) {
      this.index = index;
    }

    long requests(List<String> keys) {
      requests.take();
      if (lookup == null) {
        lookup = HudiLookup.local(requests.conf(), index.dataPath(), KeyTable.KEY);
      }
      lookup.find(keys);
      return requests.take();
    }

    @Override
    public void close() {
      if (lookup != null) {
        lookup.close();
      }
    }
  }
}
