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
package org.apache.xtable.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkUserAppException;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.sync.SyncSummary;

/**
 * The sync as a Spark application:
 *
 * <pre>
 * spark-submit --class org.apache.xtable.spark.XTableSparkSync … --datasetConfig tables.yaml
 * </pre>
 */
public final class XTableSparkSync {
  private XTableSparkSync() {}

  /**
   * @throws SparkUserAppException if the exit code is not 0: spark-submit and YARN's application
   *     master turn it into that exit code and the state FAILED. {@code System.exit} would cut the
   *     report to the cluster short.
   */
  public static void main(String[] args) throws SparkUserAppException {
    boolean isOurs = SparkSession.getDefaultSession().isEmpty();
    int exitCode = new SyncCommand(System.out, System.err, XTableSparkSync::session).run(args);
    if (isOurs && SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
    if (exitCode != SyncSummary.EXIT_OK) {
      throw new SparkUserAppException(exitCode);
    }
  }

  private static SparkSession session(SparkConf conf) {
    if (SparkSession.getDefaultSession().isDefined()) {
      return SparkSession.getDefaultSession().get();
    }
    return SparkSession.builder().config(conf).getOrCreate();
  }
}
