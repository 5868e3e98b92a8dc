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

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.xtable.integration.process.JavaProcess;
import org.apache.xtable.integration.process.SparkHome;

/** A standalone master and two workers of one core on the loopback address, each a process. */
final class SparkCluster implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final String EXECUTOR = "CoarseGrainedExecutorBackend";

  private final JavaProcess master;
  private final List<JavaProcess> workers;
  private final String url;

  private SparkCluster(JavaProcess master, List<JavaProcess> workers, String url) {
    this.master = master;
    this.workers = workers;
    this.url = url;
  }

  static SparkCluster start(Path folder) throws InterruptedException {
    JavaProcess master =
        SparkHome.daemon(
            folder.resolve("master"),
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--webui-port",
            "0");
    String url = master.await("Starting Spark master at (spark://\\S+)", START_LIMIT).group(1);
    List<JavaProcess> workers =
        List.of(worker(folder.resolve("worker1"), url), worker(folder.resolve("worker2"), url));
    for (JavaProcess worker : workers) {
      worker.await("Successfully registered with master", START_LIMIT);
    }
    return new SparkCluster(master, workers, url);
  }

  private static JavaProcess worker(Path folder, String url) {
    return SparkHome.daemon(
        folder,
        "org.apache.spark.deploy.worker.Worker",
        "--host",
        "127.0.0.1",
        "--webui-port",
        "0",
        "-c",
        "1",
        "-m",
        "1500m",
        "-d",
        folder.toString(),
        url);
  }

  String url() {
    return url;
  }

  /** Kills one of the executors that run now. */
  ProcessHandle killExecutor() {
    ProcessHandle executor =
        executors().stream().findFirst().orElseThrow(() -> new AssertionError("No executor runs"));
    executor.destroyForcibly();
    executor.onExit().join();
    return executor;
  }

  private List<ProcessHandle> executors() {
    return workers.stream()
        .flatMap(worker -> worker.handle().descendants())
        .filter(
            process ->
                Optional.of(process.info().commandLine().orElse("")).get().contains(EXECUTOR))
        .collect(Collectors.toList());
  }

  @Override
  public void close() {
    workers.forEach(JavaProcess::close);
    master.close();
  }
}
