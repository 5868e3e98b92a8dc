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
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.benchmark.measure.BenchmarkSpark;
import org.apache.xtable.benchmark.measure.HudiLookup;
import org.apache.xtable.benchmark.measure.IndexCopies;
import org.apache.xtable.benchmark.measure.KeyTable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The same index by Hudi's own reader, in the driver or in a Spark job. */
@State(Scope.Benchmark)
public class HudiLookups {
  /** Where Hudi's reader runs. */
  public enum Engine {
    LOCAL,
    SPARK
  }

  @Param({"COMPACTED", "THREE_SYNCS_MORE"})
  public IndexCopies index;

  @Param({"LOCAL", "SPARK"})
  public Engine engine;

  @Param("1")
  public int keys;

  private final Configuration conf = new Configuration();
  private SparkSession spark;
  private HudiLookup opened;
  private List<String> lookedUp;

  @Setup
  public void open() {
    if (engine == Engine.SPARK) {
      this.spark = BenchmarkSpark.builder("lookups").getOrCreate();
    }
    this.opened = openAnew();
    this.lookedUp = LookupKeys.random(keys, 1);
    if (opened.find(lookedUp).isEmpty()) {
      throw new IllegalStateException("Cannot measure lookups that find nothing");
    }
  }

  private HudiLookup openAnew() {
    return engine == Engine.LOCAL
        ? HudiLookup.local(conf, index.dataPath(), KeyTable.KEY)
        : HudiLookup.inSpark(
            JavaSparkContext.fromSparkContext(spark.sparkContext()),
            conf,
            index.dataPath(),
            KeyTable.KEY);
  }

  @Benchmark
  public List<String> warm() {
    return opened.find(lookedUp);
  }

  @Benchmark
  public List<String> cold() {
    try (HudiLookup fresh = openAnew()) {
      return fresh.find(lookedUp);
    }
  }

  @TearDown
  public void close() {
    opened.close();
    if (spark != null) {
      spark.stop();
    }
  }
}
