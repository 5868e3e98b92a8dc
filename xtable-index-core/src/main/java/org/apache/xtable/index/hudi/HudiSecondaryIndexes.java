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

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SecondaryIndexes;

/** Finds the indexes that {@link HudiIndexWriter} wrote. Thread-safe. */
public final class HudiSecondaryIndexes implements SecondaryIndexes {
  private final Configuration conf;

  /**
   * @param conf the configuration of the file systems that hold the data paths
   */
  public HudiSecondaryIndexes(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Optional<SecondaryIndex> find(String dataPath) {
    IndexTable table = new IndexTable(new DataPath(dataPath), conf);
    return table.open().flatMap(metaClient -> HudiSecondaryIndex.open(table, metaClient));
  }

  @Override
  public void close() {}
}
