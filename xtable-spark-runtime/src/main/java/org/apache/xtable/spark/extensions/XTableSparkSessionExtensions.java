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

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.xtable.index.SecondaryIndexes;
import org.apache.xtable.index.hudi.HudiSecondaryIndexes;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Lets queries of Iceberg tables use their secondary index:
 *
 * <pre>
 * spark.sql.extensions=org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,
 *     org.apache.xtable.spark.extensions.XTableSparkSessionExtensions
 * </pre>
 *
 * <p>The order of the two does not matter, and registering this one twice does no harm.
 */
public final class XTableSparkSessionExtensions
    extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  /**
   * The extensions that have the rule. Spark makes an instance of this class for each time that it
   * is named, and gives none of them a way to see what the others did.
   */
  private static final Set<SparkSessionExtensions> EXTENDED =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Function<Configuration, SecondaryIndexes> opener;

  public XTableSparkSessionExtensions() {
    // A lambda, not a method reference: this class must load without the Hudi bundle.
    this(conf -> new HudiSecondaryIndexes(conf));
  }

  /**
   * @param opener opens the storage of the indexes, once for each application
   */
  XTableSparkSessionExtensions(Function<Configuration, SecondaryIndexes> opener) {
    this.opener = opener;
  }

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    if (EXTENDED.add(extensions)) {
      ApplicationIndexes indexes = new ApplicationIndexes(opener);
      try {
        PruningSettings.register();
        extensions.injectPreCBORule(session -> new UseIndexInScans(session, indexes));
      } catch (LinkageError e) {
        // A Spark that differs from Apache's; it would let most of these end the session.
        indexes.giveUp(e);
      }
    }
    return BoxedUnit.UNIT;
  }
}
