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
import java.util.ArrayList;
import java.util.List;
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

  private static Path folder;
  private static SparkCluster cluster;

  /** A table for each test, of 16 files: all made by one Spark, since to start one takes long. */
  @BeforeAll
  static void start() throws InterruptedException {
    folder = SparkHome.newFolder("cluster");
    List<String> statements = new ArrayList<>();
    statements.add("CREATE NAMESPACE lake.db");
    for (String table :
        List.of("jars", "class_path", "local_cluster", "killed_build", "killed_query")) {
      int rows = table.equals("killed_build") ? 320_000 : 16_000;
      statements.add(Submission.createTable(table));
      statements.add(
          String.format(
              "INSERT INTO lake.db.%s SELECT id, concat('k', id) FROM range(0, %d, 1, 16)",
              table, rows));
    }
    new Submission(folder, "local[2]").jars().kryo().sql(statements.toArray(new String[0]));
    cluster = SparkCluster.start(folder);
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
    syncAndQuery("jars", new Submission(folder, cluster.url()).jars().kryo());
  }

  @Test
  @DisplayName("C1, C20: standalone cluster, extraClassPath, Java serializer")
  void extraClassPathAndJavaSerializer() throws InterruptedException {
    syncAndQuery(
        "class_path", new Submission(folder, cluster.url()).extraClassPath().javaSerializer());
  }

  @Test
  @DisplayName("C1, C20: local-cluster, --jars, Kryo")
  void localCluster() throws InterruptedException {
    syncAndQuery("local_cluster", new Submission(folder, "local-cluster[2,1,1024]").jars().kryo());
  }

  private static void syncAndQuery(String table, Submission submission)
      throws InterruptedException {
    assertThat(submission.sync(table, "k")).contains("BUILT");
    String all = " FROM lake.db." + table + " WHERE k IN ('k77', 'k15999', 'x')";
    assertThat(
            submission.sql(
                "SELECT concat('row ', id, ' in ', " + PROCESS + ")" + needle(table),
                "EXPLAIN SELECT *" + needle(table),
                "SELECT concat('count ', count(*))" + all,
                "SET spark.xtable.index.pruning.enabled=false",
                "SELECT concat('plain ', count(*))" + all))
        .contains("row 77 in " + EXECUTOR)
        .contains("[index: used, 1 of 16 files")
        .contains("count 2")
        .contains("plain 2");
  }

  private static String needle(String table) {
    return " FROM lake.db." + table + " WHERE k = 'k77'";
  }

  @Test
  @DisplayName("C13: an executor that is killed during a build costs time, nothing else")
  void executorKilledDuringBuild() throws InterruptedException {
    Submission submission = new Submission(folder, cluster.url()).jars().kryo();
    try (JavaProcess sync = submission.startSync("killed_build", "k")) {
      sync.await("Starting task \\d+\\.0 in stage 0\\.0", LIMIT);
      cluster.killExecutor();
      assertThat(Submission.succeed(sync)).contains("BUILT").containsPattern("[Ll]ost executor");
    }
    assertThat(
            submission.sql(
                "SELECT concat('row ', id)" + needle("killed_build"),
                "EXPLAIN SELECT *" + needle("killed_build")))
        .contains("row 77")
        .contains("[index: used, 1 of 16 files");
  }

  @Test
  @DisplayName("C23: an executor that is killed during a query costs time, nothing else")
  void executorKilledDuringQuery() throws InterruptedException {
    Submission submission = new Submission(folder, cluster.url()).jars().kryo();
    submission.sync("killed_query", "k");
    submission.conf("spark.log.level", "INFO");
    String where =
        " FROM lake.db.killed_query"
            + " WHERE k IN ('k1', 'k1001', 'k2001', 'k3001', 'k4001', 'k5001')";
    try (JavaProcess query =
        submission.startSql("EXPLAIN SELECT *" + where, "SELECT concat('sum ', sum(id))" + where)) {
      query.await("Starting task \\d+\\.0 in stage", LIMIT);
      cluster.killExecutor();
      assertThat(Submission.succeed(query))
          .contains("[index: used, 6 of 16 files")
          .contains("sum 15006");
    }
  }
}
