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

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.apache.xtable.integration.process.JavaProcess;
import org.apache.xtable.integration.process.SparkHome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several people at one Thrift server, over JDBC. */
class ThriftServerIT {
  private static final String PLAN = "EXPLAIN SELECT * FROM lake.db.t WHERE k = 'k77'";
  private static final String OFF = "SET spark.xtable.index.pruning.enabled=false";

  private static JavaProcess server;
  private static String url;

  @BeforeAll
  static void start() throws Exception {
    Path folder = SparkHome.newFolder("thrift");
    Submission submission = new Submission(folder, "local[2]").jars().kryo();
    submission.sql(
        "CREATE NAMESPACE lake.db",
        Submission.createTable("t"),
        "INSERT INTO lake.db.t SELECT id, concat('k', id) FROM range(0, 100, 1, 4)");
    submission.sync("t", "k");
    int port = freePort();
    server =
        submission.start(
            "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2",
            "spark-internal",
            "--hiveconf",
            "hive.server2.thrift.port=" + port,
            "--hiveconf",
            "hive.server2.thrift.bind.host=127.0.0.1");
    server.await("Starting ThriftBinaryCLIService on port", Duration.ofMinutes(2));
    url = "jdbc:hive2://127.0.0.1:" + port + "/default";
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  @DisplayName("C26: SET in one session leaves the others alone")
  void eachSessionHasItsSettings() throws SQLException {
    try (Connection one = DriverManager.getConnection(url, "one", "");
        Connection two = DriverManager.getConnection(url, "two", "")) {
      assertThat(all(one, PLAN)).contains("[index: used, 1 of 4 files");
      assertThat(all(two, PLAN)).contains("[index: used, 1 of 4 files");
      all(one, OFF);
      assertThat(all(one, PLAN)).contains("BatchScan").doesNotContain("index: used");
      assertThat(all(two, PLAN)).contains("[index: used, 1 of 4 files");
      assertThat(all(one, "SELECT id FROM lake.db.t WHERE k = 'k77'"))
          .isEqualTo(all(two, "SELECT id FROM lake.db.t WHERE k = 'k77'"))
          .isEqualTo("77\n");
    }
  }

  @Test
  @DisplayName("C21: prepared statements, run again with other values")
  void preparedStatements() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, "one", "");
        PreparedStatement explain =
            connection.prepareStatement("EXPLAIN SELECT * FROM lake.db.t WHERE k = ?");
        PreparedStatement query =
            connection.prepareStatement("SELECT id FROM lake.db.t WHERE k IN (?, 'k2')")) {
      for (int id : new int[] {3, 50, 99}) {
        explain.setString(1, "k" + id);
        try (ResultSet plan = explain.executeQuery()) {
          assertThat(all(plan)).contains("[index: used, 1 of 4 files");
        }
        query.setString(1, "k" + id);
        try (ResultSet rows = query.executeQuery()) {
          assertThat(all(rows).split("\n")).containsExactlyInAnyOrder("2", String.valueOf(id));
        }
      }
    }
  }

  private static String all(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return all(rows);
    }
  }

  private static String all(ResultSet rows) throws SQLException {
    StringBuilder text = new StringBuilder();
    while (rows.next()) {
      text.append(rows.getString(1)).append('\n');
    }
    return text.toString();
  }
}
