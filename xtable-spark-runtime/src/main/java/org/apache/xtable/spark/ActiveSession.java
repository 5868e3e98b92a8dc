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

import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/**
 * Makes a session the thread's active one for a while. Spark and Iceberg look much up in the active
 * session whatever session they were given: Spark 3.5's {@code CatalogManager} takes a catalog's
 * settings from it, for one.
 */
final class ActiveSession {
  private ActiveSession() {}

  static <T> T run(SparkSession spark, Supplier<T> work) {
    Option<SparkSession> before = SparkSession.getActiveSession();
    SparkSession.setActiveSession(spark);
    try {
      return work.get();
    } finally {
      if (before.isDefined()) {
        SparkSession.setActiveSession(before.get());
      } else {
        SparkSession.clearActiveSession();
      }
    }
  }
}
