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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SecondaryIndexes;

/**
 * Finds the indexes that {@link HudiIndexWriter} wrote, and keeps those that were used last open.
 *
 * <p>For a minute at most it also remembers which data paths have no index, which cannot be listed,
 * and which syncs left an index that cannot be read, so that queries neither ask storage for the
 * same answer again and again nor repeat what is known to fail. A new sync of a broken index is
 * noticed at once.
 *
 * <p>Thread-safe.
 */
public final class HudiSecondaryIndexes implements SecondaryIndexes {
  private static final int MAX_OPEN = 100;
  private static final int MAX_REMEMBERED = 10_000;
  private static final long MAX_CACHED_BYTES = 64L * 1024 * 1024;

  /**
   * The setting of the Hadoop configuration for what all indexes together keep in memory: a number
   * of bytes, or a size such as {@code 256m}; the default is 64 MiB.
   */
  public static final String MAX_CACHED_BYTES_KEY = "xtable.index.cache.maxBytes";

  private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Configuration conf;
  private final EntryCache cache;
  private final ParallelReads parallelReads = new ParallelReads();
  private final Map<String, HudiSecondaryIndex> open = new LinkedHashMap<>(16, 0.75f, true);
  private final KnownAbsences absences;
  private final ShortMemory<IndexException> failures;

  /**
   * @param conf the configuration of the file systems that hold the data paths
   */
  public HudiSecondaryIndexes(Configuration conf) {
    this(conf, System::nanoTime);
  }

  /**
   * @param conf the configuration of the file systems that hold the data paths
   * @param nanoClock tells the time in nanoseconds, from any origin
   */
  public HudiSecondaryIndexes(Configuration conf, LongSupplier nanoClock) {
    this.conf = conf;
    this.cache = new EntryCache(maxCachedBytes(conf));
    this.absences = new KnownAbsences(MAX_REMEMBERED, REMEMBERED_NANOS, nanoClock);
    this.failures = new ShortMemory<>(MAX_REMEMBERED, REMEMBERED_NANOS, nanoClock);
  }

  private static long maxCachedBytes(Configuration conf) {
    try {
      return conf.getLongBytes(MAX_CACHED_BYTES_KEY, MAX_CACHED_BYTES);
    } catch (IllegalArgumentException e) {
      throw new IndexException(
          String.format(
              "Cannot open indexes: %s should be a number of bytes, or a size such as 64m, but was %s",
              MAX_CACHED_BYTES_KEY, conf.get(MAX_CACHED_BYTES_KEY)),
          e);
    }
  }

  @Override
  public Optional<SecondaryIndex> find(String dataPath) {
    if (absences.isBelieved(dataPath)) {
      return Optional.empty();
    }
    IndexTable table = new IndexTable(new DataPath(dataPath), conf);
    Optional<String> instant = lastSync(table, dataPath);
    if (!instant.isPresent()) {
      return noIndex(dataPath);
    }
    rethrowIfKnown(stateOf(dataPath, instant.get()));
    try {
      return Optional.of(openAt(instant.get(), table, dataPath));
    } catch (IndexException e) {
      Optional<String> now = lastSync(table, dataPath);
      if (now.equals(instant)) {
        throw e;
      }
      // A sync, rollback or rebuild came between.
      return now.isPresent() ? Optional.of(openAt(now.get(), table, dataPath)) : noIndex(dataPath);
    }
  }

  private Optional<String> lastSync(IndexTable table, String dataPath) {
    rethrowIfKnown(dataPath);
    try {
      return table.lastSync();
    } catch (RuntimeException e) {
      throw remembered(dataPath, e);
    }
  }

  private Optional<SecondaryIndex> noIndex(String dataPath) {
    forget(dataPath);
    absences.seen(dataPath);
    return Optional.empty();
  }

  private SecondaryIndex openAt(String instant, IndexTable table, String dataPath) {
    absences.ended(dataPath);
    String state = stateOf(dataPath, instant);
    rethrowIfKnown(state);
    HudiSecondaryIndex known = known(dataPath);
    if (known != null && known.instant().equals(instant)) {
      return known;
    }
    try {
      HudiSecondaryIndex found =
          new HudiSecondaryIndex(
              table,
              instant,
              table.manifest(instant),
              cache,
              parallelReads,
              e -> failures.put(state, e));
      remember(dataPath, found);
      return found;
    } catch (RuntimeException e) {
      throw remembered(state, e);
    }
  }

  private static String stateOf(String dataPath, String instant) {
    return dataPath + " " + instant;
  }

  private void rethrowIfKnown(String state) {
    failures
        .get(state)
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  private IndexException remembered(String state, RuntimeException e) {
    IndexException failure =
        e instanceof IndexException
            ? (IndexException) e
            : new IndexException("Cannot read index below " + state + ": " + e, e);
    failures.put(state, failure);
    return failure;
  }

  private HudiSecondaryIndex known(String dataPath) {
    synchronized (open) {
      return open.get(dataPath);
    }
  }

  private void remember(String dataPath, HudiSecondaryIndex index) {
    synchronized (open) {
      open.put(dataPath, index);
      if (open.size() > MAX_OPEN) {
        open.remove(open.keySet().iterator().next());
      }
    }
  }

  private void forget(String dataPath) {
    synchronized (open) {
      open.remove(dataPath);
    }
  }

  @Override
  public void close() {
    synchronized (open) {
      open.clear();
    }
    cache.clear();
    parallelReads.close();
  }
}
