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

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.xtable.benchmark.measure.IndexCopies;
import org.apache.xtable.index.KeyLocations;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SecondaryIndexes;
import org.apache.xtable.index.hudi.HudiSecondaryIndexes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The index as the session extensions read it. */
@State(Scope.Benchmark)
public class OurLookups {
  private static final int KNOWN_KEYS = 100_000;

  @Param({"COMPACTED", "THREE_SYNCS_MORE"})
  public IndexCopies index;

  @Param("1")
  public int keys;

  private final Configuration conf = new Configuration();
  private SecondaryIndexes indexes;
  private SecondaryIndex opened;
  private List<String> lookedUp;
  private List<String> others;
  private int next;

  @Setup
  public void open() {
    this.indexes = new HudiSecondaryIndexes(conf);
    this.opened = indexes.find(index.dataPath()).orElseThrow();
    this.lookedUp = LookupKeys.random(keys, 1);
    this.others = LookupKeys.random(KNOWN_KEYS, 2);
    if (opened.lookup(lookedUp).files().isEmpty()) {
      throw new IllegalStateException("Cannot measure lookups that find nothing");
    }
  }

  /** The lookup alone; its blocks were read before, as far as the cache takes them. */
  @Benchmark
  public KeyLocations warm() {
    return opened.lookup(lookedUp);
  }

  /** The same with what a query does around it: finding the index, and proving it current. */
  @Benchmark
  public KeyLocations warmAsInQuery() {
    SecondaryIndex found = indexes.find(index.dataPath()).orElseThrow();
    KeyLocations locations = found.lookup(lookedUp);
    if (!found.isCurrent()) {
      throw new IllegalStateException("Cannot measure an index that changes");
    }
    return locations;
  }

  /** Another key each time: most blocks are not in the cache. */
  @Benchmark
  public KeyLocations otherKeyEachTime() {
    next = (next + 1) % others.size();
    return opened.lookup(others.subList(next, next + 1));
  }

  /** Nothing is open or cached but what the operating system caches. */
  @Benchmark
  public KeyLocations cold() {
    try (SecondaryIndexes fresh = new HudiSecondaryIndexes(conf)) {
      return fresh.find(index.dataPath()).orElseThrow().lookup(lookedUp);
    }
  }

  @TearDown
  public void close() {
    indexes.close();
  }
}
