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
package org.apache.xtable.utilities;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.xtable.index.IndexException;

/**
 * The JVM that is to run Spark, and whether it was started with the options for it. Java opens
 * packages of the JDK only at its start, so what is missing needs another JVM.
 */
final class SparkJvm {
  /** Marks a JVM that was started by {@link #relaunch}, so that there is no endless chain. */
  private static final String RELAUNCHED = "xtable.relaunched";

  /** Those of the packages that Spark asks for without which it does not start. */
  private static final List<String> NEEDED = Arrays.asList("java.lang", "java.nio", "sun.nio.ch");

  private final boolean open;
  private final boolean relaunched;
  private final List<String> arguments;
  private final String classPath;

  SparkJvm(boolean open, boolean relaunched, List<String> arguments, String classPath) {
    this.open = open;
    this.relaunched = relaunched;
    this.arguments = arguments;
    this.classPath = classPath;
  }

  static SparkJvm current() {
    Module self = SparkJvm.class.getModule();
    return new SparkJvm(
        NEEDED.stream().allMatch(name -> Object.class.getModule().isOpen(name, self)),
        Boolean.getBoolean(RELAUNCHED),
        ManagementFactory.getRuntimeMXBean().getInputArguments(),
        System.getProperty("java.class.path"));
  }

  boolean canRunSpark() {
    return open;
  }

  /**
   * Runs a main class in a JVM like this one but with Spark's options, and waits for its end. It
   * ends with this one.
   *
   * @return its exit code
   */
  int relaunch(Class<?> mainClass, String... args) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command(mainClass, args)).inheritIO().start();
    Thread stop = new Thread(process::destroy, "stop-relaunched-jvm");
    Runtime.getRuntime().addShutdownHook(stop);
    return process.waitFor();
  }

  List<String> command(Class<?> mainClass, String... args) {
    if (relaunched) {
      throw new IndexException(
          "Cannot start Spark: this Java does not open its packages to Spark; start it with "
              + JavaModuleOptions.defaultModuleOptions());
    }
    List<String> command = new ArrayList<>();
    command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments.stream().filter(SparkJvm::canRepeat).collect(Collectors.toList()));
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+")));
    command.add("-D" + RELAUNCHED + "=true");
    command.add("-cp");
    command.add(classPath);
    command.add(mainClass.getName());
    command.addAll(Arrays.asList(args));
    return command;
  }

  /** A debugger's port can be had once only. */
  private static boolean canRepeat(String argument) {
    return !argument.startsWith("-agentlib:jdwp") && !argument.startsWith("-Xrunjdwp");
  }
}
