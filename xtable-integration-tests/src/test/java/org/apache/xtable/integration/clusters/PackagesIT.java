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
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.xtable.integration.process.SparkHome;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The jars by their coordinates, from a repository. */
class PackagesIT {
  @Test
  @DisplayName("C20: spark.jars.packages, everything else by --conf")
  void packages() throws Exception {
    Path folder = SparkHome.newFolder("packages");
    Path repository = folder.resolve("repository");
    StringBuilder coordinates = new StringBuilder();
    for (Path jar : SparkHome.userJars()) {
      coordinates.append(coordinates.length() == 0 ? "" : ",").append(deploy(jar, repository));
    }
    Submission submission =
        new Submission(folder, "local[2]")
            .kryo()
            .conf("spark.jars.packages", coordinates.toString())
            .conf("spark.jars.ivy", folder.resolve("ivy").toString())
            .conf("spark.jars.ivySettings", ivySettings(folder, repository).toString());
    submission.sql(
        "CREATE NAMESPACE lake.db",
        Submission.createTable("t"),
        "INSERT INTO lake.db.t SELECT id, concat('k', id) FROM range(0, 100, 1, 4)");
    assertThat(submission.sync("t", "k")).contains("BUILT");
    assertThat(
            submission.sql(
                "SELECT concat('row ', id) FROM lake.db.t WHERE k = 'k77'",
                "EXPLAIN SELECT * FROM lake.db.t WHERE k = 'k77'"))
        .contains("row 77")
        .contains("[index: used, 1 of 4 files");
  }

  /** Puts a jar into a Maven repository; its coordinates. */
  private static String deploy(Path jar, Path repository) throws IOException {
    String file = jar.getFileName().toString().replaceFirst("\\.jar$", "");
    String artifact = file.replaceFirst("-\\d.*$", "");
    String version = file.substring(artifact.length() + 1);
    Path folder = repository.resolve("test").resolve(artifact).resolve(version);
    Files.createDirectories(folder);
    Files.copy(jar, folder.resolve(file + ".jar"));
    Files.writeString(
        folder.resolve(file + ".pom"),
        String.format(
            "<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId>"
                + "<artifactId>%s</artifactId><version>%s</version></project>",
            artifact, version));
    return "test:" + artifact + ":" + version;
  }

  /** No repository but this one. */
  private static Path ivySettings(Path folder, Path repository) throws IOException {
    return Files.writeString(
        folder.resolve("ivysettings.xml"),
        String.format(
            "<ivysettings><settings defaultResolver=\"local\"/>"
                + "<resolvers><ibiblio name=\"local\" m2compatible=\"true\" root=\"%s\"/></resolvers>"
                + "</ivysettings>",
            repository.toUri()));
  }
}
