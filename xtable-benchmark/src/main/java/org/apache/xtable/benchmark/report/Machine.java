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
package org.apache.xtable.benchmark.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.xtable.benchmark.measure.Sizes;

/** Where and with what the benchmark ran. */
final class Machine {
  private static final Path CPU_INFO = Paths.get("/proc/cpuinfo");

  private Machine() {}

  static ObjectNode describe() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("cores", Runtime.getRuntime().availableProcessors());
    json.put("processor", processor());
    json.put(
        "memory",
        String.format(Locale.ROOT, "%.0f GiB", system.getTotalPhysicalMemorySize() / 0x1p30));
    json.put("operating system", system.getName() + " " + system.getVersion());
    json.put(
        "load before the run",
        String.format(Locale.ROOT, "%.2f over the last minute", system.getSystemLoadAverage()));
    json.put("JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    json.put("heap of each part", Sizes.text("heap"));
    json.put("Spark", Sizes.text("spark.version") + ", local, one task a core");
    json.put("Iceberg", Sizes.text("iceberg.version"));
    json.put("Hudi", Sizes.text("hudi.version"));
    json.put("XTable Index", Sizes.text("index.version"));
    json.put(
        "date",
        ZonedDateTime.now(ZoneOffset.UTC)
            .format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm z")));
    return json;
  }

  private static String processor() {
    if (!Files.isReadable(CPU_INFO)) {
      return System.getProperty("os.arch");
    }
    try (Stream<String> lines = Files.lines(CPU_INFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
