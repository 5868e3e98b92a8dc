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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.xtable.index.sync.DatasetConfig;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.TableSyncReport;
import org.apache.xtable.index.sync.TableSyncReport.Action;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C7: on storage that refuses every change outside of {@code .hoodie}, syncs work all the same. */
class GuardedStorageTest {
  private static SyncFixture fixture;

  @BeforeAll
  static void start(@TempDir Path folder) {
    String catalog = "spark.sql.catalog.guarded";
    fixture =
        new SyncFixture(
            folder,
            Map.of(
                // Kryo is what the docs say, but any serializer will do.
                "spark.serializer",
                JavaSerializer.class.getName(),
                "spark.hadoop.fs." + GuardedFileSystem.SCHEME + ".impl",
                GuardedFileSystem.class.getName(),
                catalog,
                "org.apache.iceberg.spark.SparkCatalog",
                catalog + ".type",
                "hadoop",
                catalog + ".warehouse",
                GuardedFileSystem.SCHEME + ":" + folder.resolve("guarded")));
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @Test
  @DisplayName("C7: build, increments, compaction and rebuild change nothing outside of .hoodie")
  void syncsChangeNothingElse() throws Exception {
    fixture.sql(
        "CREATE TABLE guarded.db.t (id BIGINT, k STRING, p STRING) USING iceberg"
            + " PARTITIONED BY (p) TBLPROPERTIES ('write.metadata.metrics.default'='none')");
    insert(0, 60);
    assertThat(sync().action()).isEqualTo(Action.BUILT);
    for (int i = 1; i <= 11; i++) {
      insert(i * 100, i * 100 + 4);
      assertThat(sync().action()).as("sync %d", i).isEqualTo(Action.UPDATED);
    }
    fixture.sql("DELETE FROM guarded.db.t WHERE id >= 1000");
    assertThat(sync().action()).isEqualTo(Action.UPDATED);
    fixture.sql(
        "CALL guarded.system.rewrite_data_files(table => 'db.t',"
            + " options => map('rewrite-all', 'true'))");
    assertThat(sync().action()).isEqualTo(Action.REBUILT);
    assertThat(sync().action()).isEqualTo(Action.UNCHANGED);

    String query = "SELECT * FROM guarded.db.t WHERE k = 'k302'";
    assertThat(fixture.rows(query, true)).isEqualTo(fixture.rows(query, false)).hasSize(1);
    assertThat(fixture.decision(query)).contains("used, 1 of 2 files");
  }

  @Test
  @DisplayName("The guard itself refuses changes of data files")
  void guardRefuses() throws Exception {
    Configuration conf = fixture.spark().sparkContext().hadoopConfiguration();
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(
            GuardedFileSystem.SCHEME + ":" + fixture.folder().resolve("probe/f.parquet"));
    FileSystem guarded = file.getFileSystem(conf);
    guarded.create(file).close();
    try (AutoCloseable guard = GuardedFileSystem.guard()) {
      assertThat(guard).isNotNull();
      assertThatThrownBy(() -> guarded.delete(file, false)).hasMessageContaining("Refused");
      assertThatThrownBy(() -> guarded.delete(file.getParent(), true))
          .hasMessageContaining("Refused");
      assertThatThrownBy(() -> guarded.rename(file, file.suffix("x")))
          .hasMessageContaining("Refused");
      assertThatThrownBy(() -> guarded.create(file.suffix("y"))).hasMessageContaining("Refused");
    }
  }

  private static void insert(int from, int to) {
    fixture.sql(
        "INSERT INTO guarded.db.t SELECT id, concat('k', id), concat('p ', id %% 2)"
            + " FROM range(%d, %d, 1, 1)",
        from, to);
  }

  private static TableSyncReport sync() throws Exception {
    Path table = fixture.folder().resolve("guarded/db/t");
    Map<Path, String> before = SyncFixture.contentOutsideIndex(table);
    TableSyncReport report;
    try (AutoCloseable guard = GuardedFileSystem.guard()) {
      assertThat(guard).isNotNull();
      report =
          XTableSync.create(fixture.spark())
              .sync(
                  DatasetConfig.of(
                      DatasetConfig.Dataset.inCatalog("guarded.db", "t", HudiTarget.ofColumn("k"))))
              .reports()
              .get(0);
    }
    report
        .error()
        .ifPresent(
            error -> {
              throw new AssertionError(report.toString(), error);
            });
    assertThat(SyncFixture.contentOutsideIndex(table)).isEqualTo(before);
    return report;
  }
}
