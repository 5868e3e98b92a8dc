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

import java.util.ArrayList;
import java.util.List;
import org.apache.xtable.index.IndexException;

/**
 * The jars that a sync needs beside its own. Asked for before anything is done: without the Hudi
 * bundle Spark would not even start, and would complain of Kryo.
 */
final class RequiredJars {
  private static final String HUDI_SCHEMA = "org.apache.hudi.common.schema.HoodieSchema";

  private RequiredJars() {}

  /**
   * @throws IndexException naming the jars that are missing
   */
  static void check() {
    check(loader());
  }

  static void check(ClassLoader loader) {
    List<String> missing = new ArrayList<>();
    if (!has(loader, "org.apache.iceberg.spark.SparkCatalog")) {
      missing.add("the Iceberg Spark runtime (iceberg-spark-runtime-3.5_2.12)");
    }
    if (!has(loader, "org.apache.spark.HoodieSparkKryoRegistrar")) {
      missing.add("the Hudi Spark bundle (hudi-spark3.5-bundle_2.12)");
    } else if (!has(loader, HUDI_SCHEMA)) {
      missing.add(
          "a Hudi Spark bundle of version 1.2.0 or newer, in place of the one that lacks "
              + HUDI_SCHEMA);
    }
    if (!missing.isEmpty()) {
      throw new IndexException(
          "Cannot sync: not on the class path: "
              + String.join(" and ", missing)
              + "; give it with --jars, or as spark.driver.extraClassPath and"
              + " spark.executor.extraClassPath");
    }
  }

  /** What to tell of a class or method that is missing although the jars are there. */
  static IndexException unfit(LinkageError error) {
    return new IndexException(
        "The jars do not fit together: give the XTable Spark runtime, the Iceberg Spark runtime and"
            + " the Hudi Spark bundle each once, in the same way, in versions for this Spark: "
            + error,
        error);
  }

  /** With {@code --jars} only the thread's loader knows all jars. */
  private static ClassLoader loader() {
    ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
    return ofThread == null ? RequiredJars.class.getClassLoader() : ofThread;
  }

  private static boolean has(ClassLoader loader, String name) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
