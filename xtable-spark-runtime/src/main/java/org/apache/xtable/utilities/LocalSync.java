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
package org.apache.xtable.utilities;

import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.spark.SyncCommand;

/** The sync in a Spark that runs in this process and ends with it. */
final class LocalSync {
  private LocalSync() {}

  static int run(String... args) {
    try {
      return new SyncCommand(System.out, System.err, LocalSync::session).run(args);
    } finally {
      if (SparkSession.getDefaultSession().isDefined()) {
        SparkSession.getDefaultSession().get().stop();
      }
    }
  }

  private static SparkSession session(SparkConf conf) {
    return SparkSession.builder()
        .config(
            conf.setIfMissing("spark.master", "local[*]")
                .setIfMissing("spark.ui.enabled", "false")
                .setIfMissing("spark.driver.host", "localhost")
                .setIfMissing("spark.driver.bindAddress", "127.0.0.1"))
        .getOrCreate();
  }
}
