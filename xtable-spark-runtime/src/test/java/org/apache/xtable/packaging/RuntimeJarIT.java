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
package org.apache.xtable.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What users put on their class path: the shaded jar as the build packaged it. It shares that class
 * path with Spark, Iceberg and Hudi, so it must not bring a class that one of them has.
 */
class RuntimeJarIT {
  private static final List<Pattern> ALLOWED =
      List.of(
          Pattern.compile("org/apache/xtable/.*"),
          Pattern.compile("org/apache/iceberg/spark/source/[^/]+\\.class"),
          Pattern.compile("org/apache/hudi/metadata/[^/]+\\.class"),
          Pattern.compile("META-INF/(MANIFEST\\.MF|LICENSE|NOTICE)"),
          Pattern.compile("META-INF/maven/org\\.apache\\.xtable/.*"),
          Pattern.compile("META-INF/services/org\\.apache\\.xtable\\..*"));

  private static JarFile jar;

  @BeforeAll
  static void openJar() throws IOException {
    jar = new JarFile(System.getProperty("xtable.runtime.jar"));
  }

  @AfterAll
  static void closeJar() throws IOException {
    jar.close();
  }

  @Test
  void holdsNothingButOurClassesAndRelocatedOnes() {
    assertThat(files())
        .as("entries of %s", jar.getName())
        .allMatch(name -> ALLOWED.stream().anyMatch(allowed -> allowed.matcher(name).matches()));
  }

  @Test
  void holdsEachEntryOnce() {
    assertThat(files()).doesNotHaveDuplicates();
  }

  @Test
  void bundlesTheCoreAndTheYamlParserUnderOurName() {
    assertThat(files())
        .contains(
            "org/apache/xtable/index/SecondaryIndex.class",
            "org/apache/xtable/shaded/org/yaml/snakeyaml/Yaml.class");
  }

  @Test
  void hidesNoClassOfIcebergOrHudi() throws IOException {
    for (String name : files()) {
      if (name.startsWith("org/apache/iceberg/") || name.startsWith("org/apache/hudi/")) {
        // These two jars are on this test's class path, beside the unpackaged classes of ours.
        assertThat(
                getClass()
                    .getClassLoader()
                    .resources(name)
                    .map(Object::toString)
                    .collect(Collectors.toList()))
            .as("places that have %s", name)
            .noneMatch(
                place -> place.contains("iceberg-spark-runtime") || place.contains("hudi-spark"));
      }
    }
  }

  @Test
  void carriesTheLicenceAndTheNoticeOfThisProject() throws IOException {
    assertThat(text("META-INF/LICENSE")).contains("Apache License").contains("Version 2.0");
    assertThat(text("META-INF/NOTICE")).startsWith("XTable Index").contains("SnakeYAML");
  }

  @Test
  void classesRunOnJava11() throws IOException {
    for (String name : files()) {
      if (name.endsWith(".class")) {
        try (InputStream in = jar.getInputStream(jar.getJarEntry(name))) {
          byte[] header = in.readNBytes(8);
          assertThat(header[7]).as("class file version of %s", name).isLessThanOrEqualTo((byte) 55);
        }
      }
    }
  }

  private static List<String> files() {
    return jar.stream()
        .filter(entry -> !entry.isDirectory())
        .map(JarEntry::getName)
        .collect(Collectors.toList());
  }

  private static String text(String name) throws IOException {
    JarEntry entry = jar.getJarEntry(name);
    assertThat(entry).as("%s in %s", name, jar.getName()).isNotNull();
    try (InputStream in = jar.getInputStream(entry)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
