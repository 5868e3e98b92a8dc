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

import java.util.function.Function;
import org.apache.spark.internal.config.ConfigBuilder;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.internal.config.TypedConfigBuilder;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.internal.SQLConf$;

/**
 * The settings of a session. They are registered with Spark, so that {@code SET} refuses a bad
 * value and {@code SET -v} explains them.
 *
 * <p>Immutable.
 */
final class PruningSettings {
  private static final String PREFIX = "spark.xtable.index.pruning.";
  private static final String VERSION = "0.1.0";

  static final String ENABLED_KEY = PREFIX + "enabled";
  static final String MIN_CANDIDATE_FILES_KEY = PREFIX + "minCandidateFiles";
  static final String MIN_CANDIDATE_BYTES_KEY = PREFIX + "minCandidateBytes";
  static final String MAX_KEYS_KEY = PREFIX + "maxKeys";

  private static final ConfigEntry<Object> ENABLED =
      registered(
          ENABLED_KEY,
          conf ->
              conf.doc("Whether queries of Iceberg tables use their secondary index.")
                  .version(VERSION)
                  .booleanConf()
                  .createWithDefault(true));

  private static final ConfigEntry<Object> MIN_CANDIDATE_FILES =
      registered(
          MIN_CANDIDATE_FILES_KEY,
          conf ->
              notNegative(
                      conf.doc(
                              "A scan with fewer candidate files, and fewer bytes than "
                                  + MIN_CANDIDATE_BYTES_KEY
                                  + ", does not use the index.")
                          .version(VERSION)
                          .longConf())
                  .createWithDefault(32L));

  private static final ConfigEntry<Object> MIN_CANDIDATE_BYTES =
      registered(
          MIN_CANDIDATE_BYTES_KEY,
          conf ->
              new TypedConfigBuilder<Object>(
                      conf.doc(
                              "A scan with fewer bytes in its candidate files, and fewer files than "
                                  + MIN_CANDIDATE_FILES_KEY
                                  + ", does not use the index. A number of bytes, or a size such"
                                  + " as 512m or 1g.")
                          .version(VERSION),
                      PruningSettings::minCandidateBytes)
                  .createWithDefault(1L << 30));

  private static final ConfigEntry<Object> MAX_KEYS =
      registered(
          MAX_KEYS_KEY,
          conf ->
              notNegative(
                      conf.doc("A filter with more values than this does not use the index.")
                          .version(VERSION)
                          .longConf())
                  .createWithDefault(10_000L));

  private final boolean enabled;
  private final long minCandidateFiles;
  private final long minCandidateBytes;
  private final long maxKeys;

  private PruningSettings(
      boolean enabled, long minCandidateFiles, long minCandidateBytes, long maxKeys) {
    this.enabled = enabled;
    this.minCandidateFiles = minCandidateFiles;
    this.minCandidateBytes = minCandidateBytes;
    this.maxKeys = maxKeys;
  }

  /** Makes the settings known to Spark; more than once does no harm. */
  static void register() {
    // The work is done when this class is initialized.
  }

  /**
   * The settings of a session now.
   *
   * @throws IllegalArgumentException for a bad value; it names the key, the value and what is
   *     allowed
   */
  static PruningSettings of(SQLConf conf) {
    return new PruningSettings(
        (Boolean) conf.getConf(ENABLED),
        (Long) conf.getConf(MIN_CANDIDATE_FILES),
        (Long) conf.getConf(MIN_CANDIDATE_BYTES),
        (Long) conf.getConf(MAX_KEYS));
  }

  /** Whether queries use indexes at all. */
  boolean enabled() {
    return enabled;
  }

  /** A scan with fewer files, and fewer bytes than {@link #minCandidateBytes}, is small. */
  long minCandidateFiles() {
    return minCandidateFiles;
  }

  long minCandidateBytes() {
    return minCandidateBytes;
  }

  /** The most keys that are looked up for one scan. */
  long maxKeys() {
    return maxKeys;
  }

  /** Spark's own converter of sizes leaves the key out of its errors. */
  private static Object minCandidateBytes(String value) {
    try {
      return JavaUtils.byteStringAsBytes(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          String.format(
              "%s should be a number of bytes, or a size such as 512m or 1g, but was %s",
              MIN_CANDIDATE_BYTES_KEY, value),
          e);
    }
  }

  private static TypedConfigBuilder<Object> notNegative(TypedConfigBuilder<Object> builder) {
    return builder.checkValue(value -> (Long) value >= 0, "It must not be negative.");
  }

  /** Another class loader of this JVM may have registered the setting before. */
  @SuppressWarnings("unchecked")
  private static ConfigEntry<Object> registered(
      String key, Function<ConfigBuilder, ConfigEntry<Object>> definition) {
    ConfigEntry<?> known = SQLConf$.MODULE$.getConfigEntry(key);
    return known != null ? (ConfigEntry<Object>) known : definition.apply(SQLConf.buildConf(key));
  }
}
