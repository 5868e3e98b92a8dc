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
package org.apache.xtable.integration.servers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.xtable.integration.process.JavaProcess;
import org.apache.xtable.integration.process.SparkHome;

/**
 * A server in a JVM of its own, on a free port of the loopback address. It ends with {@link
 * #close}, and with this JVM.
 */
public final class Server implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final String READY = "Server listens at port ";

  private final JavaProcess process;
  private final int port;

  private Server(JavaProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /** An S3 store of one empty bucket, in memory, that wants {@link S3Main#KEY} and its secret. */
  public static Server s3() {
    return start("s3", S3Main.class);
  }

  /** HDFS with one data node. */
  public static Server hdfs(Path folder) {
    return start("hdfs", HdfsMain.class, folder.toString());
  }

  /** An Iceberg REST catalog. */
  public static Server restCatalog(Path warehouse) {
    return start("rest", RestCatalogMain.class, warehouse.toString());
  }

  private static Server start(String jars, Class<?> mainClass, String... args) {
    JavaProcess process =
        SparkHome.java(
            SparkHome.newFolder(jars),
            "1g",
            SparkHome.build().resolve("servers").resolve(jars).resolve("*")
                + File.pathSeparator
                + SparkHome.build().resolve("test-classes"),
            mainClass,
            args);
    try {
      String port = process.await(READY + "(\\d+)", START_LIMIT).group(1);
      return new Server(process, Integer.parseInt(port));
    } catch (InterruptedException e) {
      process.close();
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (AssertionError e) {
      process.close();
      throw e;
    }
  }

  public int port() {
    return port;
  }

  @Override
  public void close() {
    process.close();
  }

  /** For the main classes: tells the port, then stays until the JVM that started it is gone. */
  static void serve(int port) throws IOException {
    System.out.println(READY + port);
    while (System.in.read() >= 0) {
      // Nobody writes.
    }
    System.exit(0);
  }
}
