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

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.xtable.integration.servers.S3Main;
import org.apache.xtable.integration.servers.Server;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Iceberg writes by its S3FileIO to {@code s3://}; Hudi, and so the index, by Hadoop's S3A to the
 * same objects.
 */
class S3IT extends TableContract {
  private static final String WAREHOUSE = "s3://" + S3Main.BUCKET + "/lake";

  private Server server;
  private Map<String, String> options;

  @Override
  Map<String, String> settings(Path folder) {
    server = serve(Server.s3());
    String endpoint = "http://127.0.0.1:" + server.port();
    options = new TreeMap<>();
    options.put("uri", "jdbc:sqlite:" + folder.resolve("catalog"));
    options.put("jdbc.schema-version", "V1");
    options.put("warehouse", WAREHOUSE);
    options.put("io-impl", "org.apache.iceberg.aws.s3.S3FileIO");
    options.put("s3.endpoint", endpoint);
    options.put("s3.path-style-access", "true");
    options.put("s3.access-key-id", S3Main.KEY);
    options.put("s3.secret-access-key", S3Main.SECRET);
    options.put("client.region", "us-east-1");
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog");
    settings.put("spark.sql.catalog.lake.catalog-impl", "org.apache.iceberg.jdbc.JdbcCatalog");
    options.forEach((name, value) -> settings.put("spark.sql.catalog.lake." + name, value));
    settings.put("spark.hadoop.fs.s3.impl", "org.apache.hadoop.fs.s3a.S3AFileSystem");
    settings.put("spark.hadoop.fs.s3a.endpoint", endpoint);
    settings.put("spark.hadoop.fs.s3a.path.style.access", "true");
    settings.put("spark.hadoop.fs.s3a.access.key", S3Main.KEY);
    settings.put("spark.hadoop.fs.s3a.secret.key", S3Main.SECRET);
    settings.put("spark.hadoop.fs.s3a.connection.ssl.enabled", "false");
    return settings;
  }

  @Override
  Optional<CatalogOptions> catalogOptions() {
    return Optional.of(new CatalogOptions("org.apache.iceberg.jdbc.JdbcCatalog", options));
  }

  @Test
  @DisplayName(
      "Neither the index nor our log lines have secrets, or the values that a query asks for")
  void nothingSecretIsToldOrKept() throws Exception {
    create("told");
    try (LogLines log = new LogLines("org.apache.xtable")) {
      sync("told");
      insert("told", 100, 101);
      assertNotUsed("told", "email = 'a4@example.com'", "STALE");
      sync("told");
      assertUsed("told", "email = 'a4@example.com'", 7);
      assertThat(log.lines())
          .anyMatch(line -> line.contains("used, "))
          .noneMatch(line -> line.contains(S3Main.SECRET))
          .noneMatch(line -> line.contains("a4@example.com"));
    }
    org.apache.hadoop.fs.Path index = new org.apache.hadoop.fs.Path(dataPath("told"), ".hoodie");
    FileSystem system = index.getFileSystem(spark().sessionState().newHadoopConf());
    RemoteIterator<LocatedFileStatus> files = system.listFiles(index, true);
    int read = 0;
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      byte[] content = new byte[(int) file.getLen()];
      try (FSDataInputStream in = system.open(file.getPath())) {
        in.readFully(content);
      }
      assertThat(new String(content, StandardCharsets.ISO_8859_1))
          .as("%s", file.getPath())
          .doesNotContain(S3Main.SECRET);
      read++;
    }
    assertThat(read).as("files of the index").isGreaterThan(10);
  }
}
