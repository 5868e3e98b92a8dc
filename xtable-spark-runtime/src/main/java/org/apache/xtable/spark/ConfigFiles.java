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

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.xtable.index.IndexException;

/** Reads config files from any Hadoop file system. */
final class ConfigFiles {
  private static final int MAX_BYTES = 4 << 20;

  private final Configuration hadoopConf;

  ConfigFiles(Configuration hadoopConf) {
    this.hadoopConf = hadoopConf;
  }

  /**
   * The text of a file, UTF-8. A path without scheme is looked for on the default file system, then
   * on the local one: where a cluster's default is HDFS, {@code --datasetConfig my.yaml} still
   * finds the file beside the user.
   *
   * @throws IndexException if it cannot be read
   */
  String text(String location) {
    return new String(bytes(location), StandardCharsets.UTF_8);
  }

  /**
   * The settings of a Hadoop XML file, without Hadoop's defaults.
   *
   * @throws IndexException if it cannot be read
   */
  Configuration hadoopXml(String location) {
    Configuration settings = new Configuration(false);
    settings.addResource(new ByteArrayInputStream(bytes(location)), location);
    try {
      settings.size();
    } catch (RuntimeException e) {
      throw new IndexException(
          String.format("Cannot read Hadoop config %s: %s", location, e.getMessage()), e);
    }
    return settings;
  }

  private byte[] bytes(String location) {
    try {
      Path path = new Path(location);
      FileSystem fileSystem = path.getFileSystem(hadoopConf);
      if (path.toUri().getScheme() == null && !fileSystem.exists(path)) {
        fileSystem = FileSystem.getLocal(hadoopConf);
      }
      return bytes(fileSystem, path);
    } catch (FileNotFoundException e) {
      throw new IndexException("Cannot read " + location + ": there is no such file", e);
    } catch (IOException | IllegalArgumentException e) {
      throw new IndexException("Cannot read " + location + ": " + e.getMessage(), e);
    }
  }

  private static byte[] bytes(FileSystem fileSystem, Path path) throws IOException {
    try (InputStream in = fileSystem.open(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES);
      if (in.read() >= 0) {
        throw new IOException("it is larger than " + MAX_BYTES + " bytes, so no config file");
      }
      return bytes;
    }
  }
}
