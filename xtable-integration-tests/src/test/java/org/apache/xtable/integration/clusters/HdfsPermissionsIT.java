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
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.xtable.integration.process.JavaProcess;
import org.apache.xtable.integration.process.SparkHome;
import org.apache.xtable.integration.servers.Server;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What users can do who have not all rights. */
class HdfsPermissionsIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String ROW = "SELECT concat('row ', id) FROM lake.db.t WHERE k = 'k77'";
  private static final String PLAN = "EXPLAIN SELECT * FROM lake.db.t WHERE k = 'k77'";

  @Test
  @DisplayName(
      "C24 g, C12: a reader reads only; without the right to read all rows come; a sync fails")
  void readersAndSyncs() throws Exception {
    Path folder = SparkHome.newFolder("permissions");
    try (Server server = Server.hdfs(folder.resolve("hdfs"))) {
      String root = "hdfs://127.0.0.1:" + server.port();
      Submission owner = new Submission(folder.resolve("owner"), root + "/lake", "local[2]");
      Submission reader = new Submission(folder.resolve("reader"), root + "/lake", "local[2]");
      owner.jars().kryo();
      reader.jars().kryo().user("reader");
      owner.sql(
          "CREATE NAMESPACE lake.db",
          Submission.createTable("t"),
          "INSERT INTO lake.db.t SELECT id, concat('k', id) FROM range(0, 100, 1, 4)");
      owner.sync("t", "k");
      try (FileSystem files = FileSystem.newInstance(URI.create(root), new Configuration())) {
        org.apache.hadoop.fs.Path data = new org.apache.hadoop.fs.Path("/lake/db/t/data");
        org.apache.hadoop.fs.Path index = new org.apache.hadoop.fs.Path(data, ".hoodie");
        assertThat(reader.sql(ROW, PLAN)).contains("row 77", "[index: used, 1 of 4 files");

        owner.sql("INSERT INTO lake.db.t VALUES (1000, 'k1000')");
        Map<String, Long> before = files(files, data);
        assertFails(reader, "Permission denied");
        assertThat(reader.sql(ROW, PLAN)).contains("row 77", "[index: not used, STALE");

        files.setPermission(index, new FsPermission("700"));
        assertThat(reader.sql(ROW, PLAN))
            .contains("row 77", "[index: not used, UNREADABLE", "Permission denied");
        assertFails(reader, "Permission denied");
        assertThat(files(files, data)).isEqualTo(before);
      }
      owner.sync("t", "k");
      assertThat(owner.sql(ROW, PLAN)).contains("row 77", "[index: used, 1 of 5 files");
    }
  }

  private static void assertFails(Submission submission, String message)
      throws InterruptedException {
    try (JavaProcess sync = submission.startSync("t", "k")) {
      assertThat(sync.exitCode(LIMIT)).as("%s", sync.output()).isEqualTo(1);
      assertThat(sync.output()).contains("FAILED").contains(message);
    }
  }

  private static Map<String, Long> files(FileSystem system, org.apache.hadoop.fs.Path folder)
      throws IOException {
    Map<String, Long> found = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> files = system.listFiles(folder, true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      found.put(file.getPath().toString(), file.getModificationTime());
    }
    return found;
  }
}
