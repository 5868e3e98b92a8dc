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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.xtable.index.hudi.HudiSecondaryIndexes;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Function1;
import scala.runtime.BoxedUnit;

/** A wrong set-up gives one clear message and never a broken session (C20); what the log tells. */
class BrokenSetUpTest {
  private static final String QUERY = "SELECT * FROM lake.db.t WHERE k = 'k11'";

  @TempDir Path folder;

  @Test
  @DisplayName("C20: a missing Hudi bundle gives one WARN, and queries run without index")
  void missingHudiBundleGivesOneWarning() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    XTableSparkSessionExtensions extension =
        new XTableSparkSessionExtensions(
            conf -> {
              attempts.incrementAndGet();
              throw new NoClassDefFoundError("org/apache/hudi/common/fs/FSUtils");
            });
    try (Lake lake = new Lake(folder, new OracleIndexes(), extension);
        LogCapture log = new LogCapture()) {
      lake.createTable("lake.db.t");

      for (int i = 0; i < 3; i++) {
        assertThat(Lake.rows(lake.sql(QUERY))).containsExactly("[11,11,k11,2]");
      }

      assertThat(attempts.get()).as("attempts to open").isEqualTo(1);
      assertThat(messages(log, Level.WARN))
          .singleElement()
          .asString()
          .contains("Hudi Spark bundle", "org/apache/hudi/common/fs/FSUtils");
    }
  }

  @Test
  @DisplayName("C20, C24g: classes that do not fit while a lookup runs turn indexes off for good")
  void linkageErrorInLookupTurnsIndexesOff() throws Exception {
    try (Lake lake = new Lake(folder);
        LogCapture log = new LogCapture()) {
      lake.createTable("lake.db.t");
      lake.sync("lake.db.t", "k");
      lake.indexes().failLookup(() -> new NoSuchMethodError("HFileReader.seekTo"));

      assertThat(Lake.rows(lake.sql(QUERY))).containsExactly("[11,11,k11,2]");

      assertThat(messages(log, Level.WARN))
          .singleElement()
          .asString()
          .contains("HFileReader.seekTo");
    }
  }

  @Test
  @DisplayName("C20: a Spark that lacks a method gives one WARN, and the session starts")
  void otherSpark() {
    try (LogCapture log = new LogCapture()) {
      new XTableSparkSessionExtensions()
          .apply(
              new SparkSessionExtensions() {
                @Override
                public void injectPreCBORule(Function1<SparkSession, Rule<LogicalPlan>> builder) {
                  throw new NoSuchMethodError("injectPreCBORule");
                }
              });
      assertThat(messages(log, Level.WARN))
          .singleElement()
          .asString()
          .contains("injectPreCBORule", "versions for this Spark");
    }
  }

  @Test
  @DisplayName("C20: jars split over class loaders give one WARN, and queries run without index")
  void splitClassLoadersGiveOneWarning() throws Exception {
    try (OwnCopies loader = new OwnCopies()) {
      @SuppressWarnings("unchecked")
      Function1<SparkSessionExtensions, BoxedUnit> extension =
          (Function1<SparkSessionExtensions, BoxedUnit>)
              loader
                  .loadClass(XTableSparkSessionExtensions.class.getName())
                  .getConstructor()
                  .newInstance();
      try (Lake lake = new Lake(folder, new OracleIndexes(), extension);
          LogCapture log = new LogCapture()) {
        lake.createTable("lake.db.t");
        for (int i = 0; i < 3; i++) {
          assertThat(Lake.rows(lake.sql(QUERY))).containsExactly("[11,11,k11,2]");
        }
        assertThat(messages(log, Level.WARN))
            .singleElement()
            .asString()
            .contains("IllegalAccessError", "in the same way");
      }
    }
  }

  /** Has classes of its own for all that is ours, as --jars has, over the application's Iceberg. */
  private static final class OwnCopies extends URLClassLoader {
    OwnCopies() {
      super(
          new URL[] {
            XTableSparkSessionExtensions.class.getProtectionDomain().getCodeSource().getLocation()
          },
          BrokenSetUpTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        try {
          return isOurs(name) ? findClass(name) : super.loadClass(name, resolve);
        } catch (ClassNotFoundException e) {
          return super.loadClass(name, resolve); // our core, which links nothing of Iceberg's
        }
      }
    }

    private static boolean isOurs(String name) {
      return name.startsWith("org.apache.xtable.")
          || name.matches(
              "org\\.apache\\.iceberg\\.spark\\.source\\.(IndexAware|ScanPruner|PlannedScan|PrunedScan).*");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ours,iceberg", "iceberg,ours,ours", "ours,iceberg,ours,iceberg", "iceberg,ours"})
  @DisplayName("C20: any order of extensions, repetitions and no Kryo: queries use the index")
  void orderRepetitionsAndSerializerDoNotMatter(String extensions) throws Exception {
    try (Lake lake = Lake.stored(folder, conf -> new HudiSecondaryIndexes(conf))) {
      lake.createTable("lake.db.t");
      lake.store("lake.db.t", "k");
    }
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.serializer", JavaSerializer.class.getName())
            .config("spark.sql.warehouse.dir", folder.resolve("spark-warehouse").toString())
            .config(
                "spark.sql.extensions",
                extensions
                    .replace("ours", XTableSparkSessionExtensions.class.getName())
                    .replace("iceberg", IcebergSparkSessionExtensions.class.getName()))
            .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog.lake.type", "hadoop")
            .config("spark.sql.catalog.lake.warehouse", folder.resolve("lake").toString())
            .config(PruningSettings.MIN_CANDIDATE_FILES_KEY, 1)
            .getOrCreate();
    try (LogCapture log = new LogCapture()) {
      assertThat(Lake.decision(spark.sql(QUERY))).isInstanceOf(Used.class);
      assertThat(Lake.rows(spark.sql(QUERY))).containsExactly("[11,11,k11,2]");
      spark.sql("DELETE FROM lake.db.t WHERE k = 'k11'");
      assertThat(Lake.rows(spark.sql(QUERY))).isEmpty();
      assertThat(spark.table("lake.db.t").count()).isEqualTo(79);
      assertThat(messages(log, Level.WARN)).as("but that it is stale").hasSize(1);
    } finally {
      spark.stop();
      SparkSession.clearActiveSession();
      SparkSession.clearDefaultSession();
    }
  }

  @Test
  @DisplayName("C26: SET refuses a bad value, and the session goes on")
  void setRefusesBadValues() throws Exception {
    try (Lake lake = new Lake(folder)) {
      lake.createTable("lake.db.t");
      lake.sync("lake.db.t", "k");

      assertThatThrownBy(() -> lake.sql("SET spark.xtable.index.pruning.maxKeys=lots"))
          .hasMessageContaining("spark.xtable.index.pruning.maxKeys")
          .hasMessageContaining("lots");
      assertThat(Lake.decision(lake.sql(QUERY))).isInstanceOf(Used.class);
      assertThat(
              lake.sql("SET -v").where("key LIKE 'spark.xtable.index.pruning.%'").collectAsList())
          .hasSize(4);
    }
  }

  @Test
  @DisplayName("C27: one line a scan in the driver log, WARN only where somebody should act")
  void logTellsOneLinePerScan() throws Exception {
    try (Lake lake = new Lake(folder);
        LogCapture log = new LogCapture()) {
      lake.createTable("lake.db.t");
      lake.sql(QUERY).collect();
      assertThat(log.events()).as("a table without index").isEmpty();
      lake.sync("lake.db.t", "k");

      lake.sql(QUERY).collect();
      assertThat(messages(log, Level.INFO))
          .singleElement()
          .asString()
          .contains("lake.db.t: used, 1 of 8 files, ")
          .contains("1 key of column k, ")
          .endsWith(" ms");

      lake.append("lake.db.t", 80, 81, 1);
      lake.sql(QUERY).collect();
      assertThat(messages(log, Level.WARN)).singleElement().asString().contains("STALE");

      lake.sql("SELECT * FROM lake.db.t WHERE n = 1").collect();
      assertThat(messages(log, Level.INFO)).hasSize(2).last().asString().contains("OTHER_COLUMN");
    }
  }

  @Test
  @DisplayName("The indexes are closed when the application ends")
  void indexesAreClosedWithTheApplication() throws Exception {
    OracleIndexes indexes;
    try (Lake lake = new Lake(folder)) {
      indexes = lake.indexes();
      lake.createTable("lake.db.t");
      lake.sql(QUERY).collect();
      assertThat(indexes.isClosed()).isFalse();
    }
    assertThat(indexes.isClosed()).isTrue();
  }

  private static List<String> messages(LogCapture log, Level level) {
    return log.events().stream()
        .filter(event -> event.getLevel() == level)
        .map(LogEvent::getMessage)
        .map(message -> message.getFormattedMessage())
        .collect(Collectors.toList());
  }
}
