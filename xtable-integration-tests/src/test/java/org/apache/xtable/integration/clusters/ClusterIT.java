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
package org.apache.xtable.integration.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.xtable.integration.process.JavaProcess;
import org.apache.xtable.integration.process.SparkHome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Driver, executors, master and workers are processes; what they send each other is serialized. */
class ClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Names the process that a task runs in, as no constant folding can. */
  private static final String PROCESS =
      "reflect('java.lang.System', 'getProperty', 'sun.java.command')";

  private static final String EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend";

  private static SparkCluster cluster;

  @BeforeAll
  static void start() throws InterruptedException {
    cluster = SparkCluster.start(SparkHome.newFolder("cluster"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @DisplayName("C1, C20: standalone cluster, --jars, Kryo")
  void jarsAndKryo() throws InterruptedException {
    Path folder = SparkHome.newFolder("jars");
    syncAndQuery(folder, new Submission(folder, cluster.url()).jars().kryo());
  }

  @Test
  @DisplayName("C1, C20: standalone cluster, extraClassPath, Java serializer")
  void extraClassPathAndJavaSerializer() throws InterruptedException {
    Path folder = SparkHome.newFolder("class-path");
    syncAndQuery(folder, new Submission(folder, cluster.url()).extraClassPath().javaSerializer());
  }

  @Test
  @DisplayName("C1, C20: local-cluster, --jars, Kryo")
  void localCluster() throws InterruptedException {
    Path folder = SparkHome.newFolder("local-cluster");
    syncAndQuery(folder, new Submission(folder, "local-cluster[2,1,1024]").jars().kryo());
  }

  private static void syncAndQuery(Path folder, Submission submission) throws InterruptedException {
    submission.sql(createTable(16, 1000));
    assertThat(submission.sync("many", "k")).contains("BUILT");
    String printed =
        submission.sql(
            "SELECT concat('row ', id, ' in ', " + PROCESS + ") FROM lake.db.many WHERE k = 'k77'",
            "EXPLAIN SELECT * FROM lake.db.many WHERE k = 'k77'",
            "SELECT concat('count ', count(*)) FROM lake.db.many WHERE k IN ('k77', 'k15999', 'x')",
            "SET spark.xtable.index.pruning.enabled=false",
            "SELECT concat('plain ', count(*)) FROM lake.db.many WHERE k IN ('k77', 'k15999', 'x')");
    assertThat(printed)
        .contains("row 77 in " + EXECUTOR)
        .contains("[index: used, 1 of 16 files")
        .contains("count 2")
        .contains("plain 2");
  }

  @Test
  @DisplayName("C13: an executor that is killed during a build costs time, nothing else")
  void executorKilledDuringBuild() throws InterruptedException {
    Path folder = SparkHome.newFolder("killed-build");
    Submission submission = new Submission(folder, cluster.url()).jars().kryo();
    submission.sql(createTable(16, 20_000));
    try (JavaProcess sync = submission.startSync("many", "k")) {
      sync.await("Starting task \\d+\\.0 in stage 0\\.0", LIMIT);
      cluster.killExecutor();
      assertThat(Submission.succeed(sync)).contains("BUILT").containsPattern("[Ll]ost executor");
    }
    assertThat(
            submission.sql(
                "SELECT concat('row ', id) FROM lake.db.many WHERE k = 'k77'",
                "EXPLAIN SELECT * FROM lake.db.many WHERE k = 'k77'"))
        .contains("row 77")
        .contains("[index: used, 1 of 16 files");
  }

  @Test
  @DisplayName("C23: an executor that is killed during a query costs time, nothing else")
  void executorKilledDuringQuery() throws InterruptedException {
    Path folder = SparkHome.newFolder("killed-query");
    Submission submission = new Submission(folder, cluster.url()).jars().kryo();
    submission.sql(createTable(16, 1000));
    submission.sync("many", "k");
    submission.conf("spark.log.level", "INFO");
    String keys = "('k1', 'k1001', 'k2001', 'k3001', 'k4001', 'k5001')";
    try (JavaProcess query =
        submission.startSql(
            "EXPLAIN SELECT * FROM lake.db.many WHERE k IN " + keys,
            "SELECT concat('sum ', sum(id)) FROM lake.db.many WHERE k IN " + keys)) {
      query.await("Starting task \\d+\\.0 in stage", LIMIT);
      cluster.killExecutor();
      assertThat(Submission.succeed(query))
          .contains("[index: used, 6 of 16 files")
          .contains("sum 15006");
    }
  }

  /** Makes a table of so many files. */
  private static String[] createTable(int files, int rows) {
    String[] statements = new String[files + 2];
    statements[0] = "CREATE NAMESPACE lake.db";
    statements[1] = Submission.createTable("many");
    for (int file = 0; file < files; file++) {
      statements[file + 2] =
          String.format(
              "INSERT INTO lake.db.many SELECT id, concat('k', id) FROM range(%d, %d, 1, 1)",
              file * rows, (file + 1) * rows);
    }
    return statements;
  }
}
