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
package org.apache.xtable.spark.extensions;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SecondaryIndexes;
import org.apache.xtable.index.hudi.HudiSecondaryIndexes;

/** The stored indexes, whose caches a test can empty and whose clock it can turn. */
final class StoredIndexes implements SecondaryIndexes {
  private final WatchedFileSystem.Watch watch = new WatchedFileSystem.Watch();
  private Configuration conf;
  private volatile long nanos;
  private volatile HudiSecondaryIndexes indexes;

  /** Called when the application opens its indexes. */
  SecondaryIndexes open(Configuration hadoopConf) {
    this.conf = watch.on(hadoopConf);
    forgetAll();
    return this;
  }

  WatchedFileSystem.Watch watch() {
    return watch;
  }

  /** As after a restart. */
  void forgetAll() {
    LongSupplier clock = () -> nanos;
    this.indexes = conf == null ? null : new HudiSecondaryIndexes(conf, clock);
  }

  void passSeconds(long seconds) {
    this.nanos += seconds * 1_000_000_000L;
  }

  @Override
  public Optional<SecondaryIndex> find(String dataPath) {
    return indexes.find(dataPath);
  }

  @Override
  public void close() {
    indexes.close();
  }
}
