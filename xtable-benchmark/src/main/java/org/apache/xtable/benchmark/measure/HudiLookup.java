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
package org.apache.xtable.benchmark.measure;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.data.HoodieData;
import org.apache.hudi.common.data.HoodieListData;
import org.apache.hudi.common.engine.HoodieEngineContext;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.data.HoodieJavaRDD;
import org.apache.hudi.metadata.HoodieBackedTableMetadata;
import org.apache.hudi.storage.HoodieStorageUtils;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.xtable.index.KeyEncoding;

/** Looks keys of an index up by Hudi's own reader, at Hudi's default settings. */
public final class HudiLookup implements AutoCloseable {
  private final HoodieBackedTableMetadata metadata;
  private final Function<List<String>, HoodieData<String>> keys;
  private final String partition;

  private HudiLookup(
      HoodieEngineContext engine,
      Function<List<String>, HoodieData<String>> keys,
      Configuration conf,
      String dataPath,
      String column) {
    this.metadata =
        new HoodieBackedTableMetadata(
            engine,
            HoodieStorageUtils.getStorage(
                new StoragePath(dataPath), new HadoopStorageConfiguration(conf)),
            HoodieMetadataConfig.newBuilder().enable(true).build(),
            dataPath);
    this.keys = keys;
    this.partition = "secondary_index_" + column;
  }

  /** In the driver, without a Spark job. */
  public static HudiLookup local(Configuration conf, String dataPath, String column) {
    return new HudiLookup(
        new HoodieLocalEngineContext(new HadoopStorageConfiguration(conf)),
        HoodieListData::eager,
        conf,
        dataPath,
        column);
  }

  /** In a Spark job. */
  public static HudiLookup inSpark(
      JavaSparkContext spark, Configuration conf, String dataPath, String column) {
    HoodieSparkEngineContext engine = new HoodieSparkEngineContext(spark);
    return new HudiLookup(
        engine,
        encoded -> HoodieJavaRDD.of(encoded, engine, spark.defaultParallelism()),
        conf,
        dataPath,
        column);
  }

  /**
   * @return {@code <path relative to the data path>_<row position>} of each entry that has one of
   *     the keys
   */
  public List<String> find(Collection<?> values) {
    List<String> encoded = values.stream().map(KeyEncoding::encode).collect(Collectors.toList());
    return metadata
        .readSecondaryIndexDataTableRecordKeysV2(keys.apply(encoded), partition)
        .collectAsList();
  }

  @Override
  public void close() {
    metadata.close();
  }
}
