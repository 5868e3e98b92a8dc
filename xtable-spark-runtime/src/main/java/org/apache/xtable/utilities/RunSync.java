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

import java.io.IOException;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.sync.SyncSummary;

/**
 * The sync as a plain Java process that starts a local Spark of its own:
 *
 * <pre>
 * java -cp 'xtable-spark-runtime.jar:iceberg-spark-runtime.jar:hudi-spark-bundle.jar:spark/jars/*' \
 *   org.apache.xtable.utilities.RunSync --datasetConfig tables.yaml
 * </pre>
 *
 * <p>From Java 17 on Spark needs packages of the JDK opened to it. Where they are not, the process
 * starts itself once more with the options for it ({@link SparkJvm}). Spark is set up by system
 * properties, such as {@code -Dspark.master=local[4]} or {@code -Dspark.sql.catalog.…}.
 *
 * <p>No signature here names a class of Spark: Java would look for it before {@link #main}, and a
 * forgotten jar could not be reported.
 */
public final class RunSync {
  private RunSync() {}

  public static void main(String[] args) throws InterruptedException {
    System.exit(run(args));
  }

  private static int run(String[] args) throws InterruptedException {
    try {
      SparkJvm jvm = SparkJvm.current();
      return jvm.canRunSpark() ? LocalSync.run(args) : jvm.relaunch(RunSync.class, args);
    } catch (IndexException e) {
      System.err.println(e.getMessage());
      return SyncSummary.EXIT_USAGE;
    } catch (NoClassDefFoundError e) {
      System.err.println(
          "Cannot sync: class "
              + e.getMessage()
              + " is not on the class path, which needs the jars of Spark 3.5, the Iceberg Spark"
              + " runtime and the Hudi Spark bundle beside this one");
      return SyncSummary.EXIT_USAGE;
    } catch (IOException | RuntimeException | LinkageError e) {
      // Threads that Spark left must not keep the process alive.
      e.printStackTrace();
      return SyncSummary.EXIT_FAILED;
    }
  }
}
