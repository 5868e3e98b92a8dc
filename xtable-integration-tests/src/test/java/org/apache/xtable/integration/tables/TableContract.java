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
package org.apache.xtable.integration.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.DatasetConfig.Dataset;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.SyncSummary;
import org.apache.xtable.index.sync.TableSyncReport;
import org.apache.xtable.index.sync.TableSyncReport.Action;
import org.apache.xtable.integration.process.SparkHome;
import org.apache.xtable.integration.servers.Server;
import org.apache.xtable.spark.SyncCommand;
import org.apache.xtable.spark.XTableSync;
import org.apache.xtable.spark.extensions.IndexUse;
import org.apache.xtable.spark.extensions.XTableIndexes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What must be so in any catalog, on any storage. Runs the packaged jar in a Spark session of its
 * own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TableContract {
  static final String PRUNING = "spark.xtable.index.pruning.enabled";

  private static final int FILES = 8;

  private final Path folder = SparkHome.newFolder(getClass().getSimpleName());
  private SparkSession spark;
  private Server server;

  /** The name of the catalog in the session. */
  String catalog() {
    return "lake";
  }

  /** The settings of the catalog and of the storage, with all that has to run for them. */
  abstract Map<String, String> settings(Path folder);

  /** The same catalog for {@code --icebergCatalogConfig}; empty if only a session can open it. */
  abstract Optional<CatalogOptions> catalogOptions();

  /** An {@code --icebergCatalogConfig}. */
  static final class CatalogOptions {
    private final String catalogImpl;
    private final Map<String, String> options;

    CatalogOptions(String catalogImpl, Map<String, String> options) {
      this.catalogImpl = catalogImpl;
      this.options = options;
    }

    private String yaml(String name) {
      return String.format(
          "catalogImpl: %s%ncatalogName: %s%ncatalogOptions:%n%s",
          catalogImpl,
          name,
          options.entrySet().stream()
              .map(option -> String.format("  %s: '%s'%n", option.getKey(), option.getValue()))
              .collect(Collectors.joining()));
    }
  }

  /** Has a server closed at the end. */
  Server serve(Server started) {
    this.server = started;
    return started;
  }

  @BeforeAll
  void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .appName(getClass().getSimpleName())
            .config("spark.ui.enabled", false)
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar")
            .config("spark.sql.warehouse.dir", folder.resolve("spark-warehouse").toString())
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
                    + "org.apache.xtable.spark.extensions.XTableSparkSessionExtensions")
            .config("spark.xtable.index.pruning.minCandidateFiles", 1)
            .config(new TreeMap<>(settings(folder)))
            .getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    spark.sql("CREATE NAMESPACE IF NOT EXISTS " + catalog() + ".shop");
  }

  @AfterAll
  void stop() {
    if (spark != null) {
      spark.stop();
    }
    if (server != null) {
      server.close();
    }
  }

  SparkSession spark() {
    return spark;
  }

  @Test
  @DisplayName("C3, C4, C7, C21, C23: sync by identifier, query, change, sync again")
  void life() throws Exception {
    create("life");
    Map<String, String> data = dataFiles("life");
    assertThat(sync("life").action()).isEqualTo(Action.BUILT);
    assertThat(dataFiles("life")).isEqualTo(data);
    assertUsed("life", "email = 'a1@example.com'", FILES - 1);
    assertUsed("life", "email IN ('a1@example.com', 'a60@example.com', null)", FILES - 2);
    assertUsed("life", "email = 'nobody'", FILES);
    assertUsed("life", "part = 1 AND 'a1@example.com' = email", 0);
    assertThat(sync("life").action()).isEqualTo(Action.UNCHANGED);

    insert("life", 100, 110);
    assertNotUsed("life", "email = 'a105@example.com'", "STALE");
    TableSyncReport update = sync("life");
    assertThat(update.action()).isEqualTo(Action.UPDATED);
    assertThat(update.filesAdded()).isEqualTo(1);
    assertUsed("life", "email = 'a105@example.com'", FILES);

    long before = table("life").currentSnapshot().snapshotId();
    spark.sql("DELETE FROM " + name("life") + " WHERE email = 'a105@example.com'");
    sync("life");
    assertThat(rows("life", "email = 'a105@example.com'")).isEmpty();
    spark.sql(
        String.format("CALL %s.system.rollback_to_snapshot('shop.life', %d)", catalog(), before));
    sync("life");
    assertThat(rows("life", "email = 'a105@example.com'")).hasSize(1);
    assertUsed("life", "email = 'a105@example.com'", FILES);

    spark.sql(
        String.format(
            "CALL %s.system.rewrite_data_files(table => 'shop.life',"
                + " options => map('rewrite-all', 'true'))",
            catalog()));
    assertNotUsed("life", "email = 'a105@example.com'", "STALE");
    sync("life");
    assertUsed("life", "email = 'a105@example.com'", 1);
  }

  @Test
  @DisplayName(
      "C3: the job finds the table by --icebergCatalogConfig, or by its name in the session")
  void command() throws Exception {
    create("command");
    String namespace = catalogOptions().isPresent() ? "shop" : catalog() + ".shop";
    Path datasets = folder.resolve("datasets.yaml");
    Files.writeString(
        datasets,
        String.join(
            "\n",
            "sourceFormat: ICEBERG",
            "targetFormats: [HUDI]",
            "datasets:",
            "  - tableName: command",
            "    namespace: " + namespace,
            "    targetProperties:",
            "      HUDI:",
            "        xtable.hudi.target.secondary.index.column: email",
            ""));
    List<String> args = new java.util.ArrayList<>(List.of("--datasetconfig", datasets.toString()));
    if (catalogOptions().isPresent()) {
      Path config = folder.resolve("catalog.yaml");
      Files.writeString(config, catalogOptions().get().yaml(catalog()));
      args.addAll(List.of("--icebergCatalogConfig", config.toString()));
    }
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    int exitCode = new SyncCommand(out, out, conf -> spark).run(args.toArray(new String[0]));
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("BUILT");
    assertThat(exitCode).isZero();
    assertUsed("command", "email = 'a1@example.com'", FILES - 1);
  }

  @Test
  @DisplayName("C25: a filter on a renamed column fails, and runs with the index turned off")
  void renamedColumn() {
    create("renamed");
    sync("renamed");
    spark.sql("ALTER TABLE " + name("renamed") + " RENAME COLUMN email TO mail");
    String sql = "SELECT id FROM " + name("renamed") + " WHERE mail = 'a1@example.com'";
    assertThatThrownBy(() -> spark.sql(sql).collectAsList())
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("email")
        .hasMessageContaining(PRUNING);
    spark.conf().set(PRUNING, false);
    try {
      assertThat(spark.sql(sql).collectAsList()).hasSize(1);
    } finally {
      spark.conf().set(PRUNING, true);
    }
  }

  @Test
  @DisplayName("C6: without its folder there is no index, and a sync may build another")
  void removal() throws IOException {
    create("removed");
    sync("removed");
    assertUsed("removed", "email = 'a1@example.com'", FILES - 1);
    org.apache.hadoop.fs.Path index = new org.apache.hadoop.fs.Path(dataPath("removed"), ".hoodie");
    FileSystem files = index.getFileSystem(spark.sessionState().newHadoopConf());
    assertThat(files.delete(index, true)).isTrue();
    assertNotUsed("removed", "email = 'a1@example.com'", "NO_INDEX");
    assertThat(
            sync(Dataset.inCatalog(catalog() + ".shop", "removed", HudiTarget.ofColumn("id")))
                .action())
        .isEqualTo(Action.BUILT);
    assertUsed("removed", "id = 1", 0);
  }

  @Test
  @DisplayName("C10: a table that was dropped and made again is indexed anew")
  void madeAgain() {
    create("again");
    sync("again");
    spark.sql("DROP TABLE " + name("again") + " PURGE");
    create("again");
    insert("again", 200, 201);
    assertThat(rows("again", "email = 'a200@example.com'")).hasSize(1);
    // Where the catalog gives it another location, or has removed the index too, it is a first one.
    assertThat(sync("again").action()).isIn(Action.BUILT, Action.REBUILT);
    assertUsed("again", "email = 'a200@example.com'", FILES);
  }

  /** A table of {@value #FILES} files with ten rows each. */
  void create(String table) {
    spark.sql(
        String.format(
            "CREATE TABLE %s (id BIGINT, email STRING, part INT) USING iceberg PARTITIONED BY (part)"
                + " TBLPROPERTIES ('format-version'='2', 'write.delete.mode'='merge-on-read',"
                + " 'write.metadata.metrics.default'='none', 'write.distribution-mode'='none')",
            name(table)));
    insert(table, 0, FILES * 10, FILES);
  }

  /** Adds one file. */
  void insert(String table, int from, int to) {
    insert(table, from, to, 1);
  }

  private void insert(String table, int from, int to, int files) {
    spark.sql(
        String.format(
            "INSERT INTO %s SELECT id, concat('a', id, '@example.com'), CAST(id / 10 AS INT) %% 4"
                + " FROM range(%d, %d, 1, %d)",
            name(table), from, to, files));
  }

  String name(String table) {
    return catalog() + ".shop." + table;
  }

  TableSyncReport sync(String table) {
    return sync(Dataset.inCatalog(catalog() + ".shop", table, HudiTarget.ofColumn("email")));
  }

  private TableSyncReport sync(Dataset dataset) {
    SyncSummary summary = XTableSync.create(spark).sync(DatasetConfig.of(dataset));
    TableSyncReport report = summary.reports().get(0);
    report
        .error()
        .ifPresent(
            error -> {
              throw new AssertionError("Sync failed: " + report, error);
            });
    return report;
  }

  Table table(String table) {
    try {
      Table found = Spark3Util.loadIcebergTable(spark, name(table));
      found.refresh();
      return found;
    } catch (Exception e) {
      throw new IllegalStateException("Cannot load " + table, e);
    }
  }

  String dataPath(String table) {
    return hadoopPath(table(table).location()) + "/data";
  }

  /** A location as Hadoop is asked for it. */
  String hadoopPath(String location) {
    return location;
  }

  /** Each file below the data path that is not the index', with what would tell that it changed. */
  private Map<String, String> dataFiles(String table) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(dataPath(table));
    FileSystem system = path.getFileSystem(spark.sessionState().newHadoopConf());
    Map<String, String> found = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> files = system.listFiles(path, true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      if (!file.getPath().toString().contains("/.hoodie/")) {
        found.put(file.getPath().toString(), file.getLen() + " " + file.getModificationTime());
      }
    }
    assertThat(found).isNotEmpty();
    return found;
  }

  /** The rows with the index and without it, which are the same. */
  List<String> rows(String table, String condition) {
    String sql = "SELECT * FROM " + name(table) + " WHERE " + condition;
    List<String> with = rows(sql);
    spark.conf().set(PRUNING, false);
    try {
      assertThat(with).as("%s", sql).isEqualTo(rows(sql));
    } finally {
      spark.conf().set(PRUNING, true);
    }
    return with;
  }

  private List<String> rows(String sql) {
    return spark.sql(sql).collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .collect(Collectors.toList());
  }

  /**
   * The index is used for a query, and the rows are right.
   *
   * @param skipped how many files it spares at least
   */
  void assertUsed(String table, String condition, int skipped) {
    rows(table, condition);
    IndexUse use = use(table, condition);
    assertThat(use.isUsed()).as("%s", use).isTrue();
    java.util.regex.Matcher files =
        java.util.regex.Pattern.compile("used, (\\d+) of (\\d+) files").matcher(use.explanation());
    assertThat(files.find()).as("%s", use).isTrue();
    assertThat(Integer.parseInt(files.group(2)) - Integer.parseInt(files.group(1)))
        .as("%s", use)
        .isGreaterThanOrEqualTo(skipped);
  }

  void assertNotUsed(String table, String condition, String reason) {
    rows(table, condition);
    assertThat(use(table, condition).reasonCode()).contains(reason);
  }

  IndexUse use(String table, String condition) {
    List<IndexUse> uses =
        XTableIndexes.explain(spark.sql("SELECT * FROM " + name(table) + " WHERE " + condition));
    assertThat(uses).hasSize(1);
    return uses.get(0);
  }
}
