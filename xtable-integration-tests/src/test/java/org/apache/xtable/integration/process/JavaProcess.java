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
package org.apache.xtable.integration.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process and all that it has printed, standard error included. Thread-safe. {@link #close} ends
 * it and what it has started.
 */
public final class JavaProcess implements AutoCloseable {
  private final Process process;
  private final Thread reader;
  private final List<String> lines = new ArrayList<>();
  private boolean isEnded;

  private JavaProcess(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "output of process " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * @param folder to run in, made if it is missing
   * @param environment beside that of this JVM
   */
  public static JavaProcess start(
      Path folder, Map<String, String> environment, List<String> command) {
    try {
      Files.createDirectories(folder);
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.directory(folder.toFile()).redirectErrorStream(true);
      builder.environment().putAll(environment);
      return new JavaProcess(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start " + command, e);
    }
  }

  /** The {@code java} of this JVM. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private void read() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      add("Cannot read on: " + e);
    } finally {
      end();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void end() {
    isEnded = true;
    notifyAll();
  }

  /**
   * Waits for a line, which may have been printed already.
   *
   * @return the match
   * @throws AssertionError with the output, if the line does not come in time
   */
  public synchronized Matcher await(String regex, Duration limit) throws InterruptedException {
    Pattern pattern = Pattern.compile(regex);
    long deadline = System.nanoTime() + limit.toNanos();
    for (int seen = 0; ; seen++) {
      while (seen == lines.size()) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (isEnded || left <= 0) {
          throw new AssertionError(
              "No line with '" + regex + "' in the output of a process:\n" + output());
        }
        wait(left);
      }
      Matcher matcher = pattern.matcher(lines.get(seen));
      if (matcher.find()) {
        return matcher;
      }
    }
  }

  /**
   * Waits for the end.
   *
   * @throws AssertionError with the output, if it does not come in time
   */
  public int exitCode(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      close();
      throw new AssertionError("A process takes longer than " + limit + ":\n" + output());
    }
    reader.join(limit.toMillis());
    return process.exitValue();
  }

  /** What it has printed by now. */
  public synchronized String output() {
    return String.join("\n", lines);
  }

  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Kills it and its children: nothing of them runs after that. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }
}
