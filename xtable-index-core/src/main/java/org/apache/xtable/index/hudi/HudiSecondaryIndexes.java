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
import org.apache.hadoop.conf.Configuration;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SecondaryIndexes;

/**
 * Finds the indexes that {@link HudiIndexWriter} wrote, and keeps those that were used last open.
 *
 * <p>Thread-safe.
 */
public final class HudiSecondaryIndexes implements SecondaryIndexes {
  private static final int MAX_OPEN = 100;
  private static final long MAX_CACHED_BYTES = 64L * 1024 * 1024;

  private final Configuration conf;
  private final EntryBlockCache blocks = new EntryBlockCache(MAX_CACHED_BYTES);
  private final Map<String, HudiSecondaryIndex> open = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param conf the configuration of the file systems that hold the data paths
   */
  public HudiSecondaryIndexes(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Optional<SecondaryIndex> find(String dataPath) {
    IndexTable table = new IndexTable(new DataPath(dataPath), conf);
    Optional<String> instant = table.lastSync();
    if (!instant.isPresent()) {
      forget(dataPath);
      return Optional.empty();
    }
    HudiSecondaryIndex known = known(dataPath);
    if (known != null && known.instant().equals(instant.get())) {
      return Optional.of(known);
    }
    HudiSecondaryIndex found =
        new HudiSecondaryIndex(table, instant.get(), table.manifest(instant.get()), blocks);
    remember(dataPath, found);
    return Optional.of(found);
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
    blocks.clear();
  }
}
