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
package org.apache.xtable.benchmark.measure;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * How much is measured, how often and where: the system properties {@code benchmark.*}, whose
 * defaults are in the module's {@code pom.xml}.
 */
public final class Sizes {
  private static final String PREFIX = "benchmark.";

  private Sizes() {}

  /** The folder of everything that the benchmark writes. */
  public static Path directory() {
    return Paths.get(text("directory"));
  }

  /** Counted runs of each contestant. */
  public static int runs() {
    return Integer.parseInt(text("runs"));
  }

  /** Runs of each contestant that come first and do not count. */
  public static int warmups() {
    return Integer.parseInt(text("warmups"));
  }

  /** Comma-separated values. */
  public static List<String> list(String name) {
    return Arrays.stream(text(name).split(","))
        .map(String::trim)
        .filter(value -> !value.isEmpty())
        .collect(Collectors.toList());
  }

  public static int count(String name) {
    return Integer.parseInt(text(name));
  }

  /** A number of rows, times {@code benchmark.scale}; at least {@code least}. */
  public static long rows(String name, long least) {
    return Math.max(least, Math.round(Long.parseLong(text(name)) * scale()));
  }

  public static double scale() {
    return Double.parseDouble(text("scale"));
  }

  /**
   * @throws IllegalStateException if the property is not set
   */
  public static String text(String name) {
    String value = System.getProperty(PREFIX + name);
    if (value == null || value.isBlank()) {
      throw new IllegalStateException(
          "Cannot run the benchmark: the system property "
              + PREFIX
              + name
              + " is not set; run it by ./mvnw -Pbenchmark verify");
    }
    return value.trim();
  }

  /** All of them as options of a JVM. */
  public static List<String> jvmOptions() {
    Properties properties = System.getProperties();
    return properties.stringPropertyNames().stream()
        .filter(name -> name.startsWith(PREFIX))
        .sorted()
        .map(name -> "-D" + name + "=" + properties.getProperty(name))
        .collect(Collectors.toList());
  }
}
