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
package org.apache.xtable.benchmark.lookups;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.xtable.benchmark.measure.IndexCopies;
import org.apache.xtable.benchmark.measure.Sample;
import org.apache.xtable.benchmark.measure.Sizes;
import org.apache.xtable.benchmark.report.ReportTable;
import org.apache.xtable.benchmark.report.Section;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Part B, on what part C left. */
public final class LookupBenchmark {
  private static final String OURS = "ours";
  private static final String HUDI_LOCAL = "Hudi, local";
  private static final String HUDI_SPARK = "Hudi, Spark";
  private static final TimeValue ITERATION = TimeValue.milliseconds(500);
  private static final int WARMUPS = 3;
  private static final int MANY_KEYS = 10_000;

  private final Section section = new Section("lookups", "B. Lookups in the driver");
  private final Map<String, Sample> times = new LinkedHashMap<>();

  private LookupBenchmark() {}

  public static void main(String[] args) throws RunnerException, IOException {
    new LookupBenchmark().run();
  }

  private void run() throws RunnerException, IOException {
    int runs = Sizes.runs();
    int hudiRuns = Sizes.count("long.runs");
    String manyKeys = Integer.toString(MANY_KEYS);
    section.note(
        String.format(
            "In an index of %,d entries, one for each of as many keys, and in the same index after"
                + " three more syncs of 1 %% each. By JMH, one JVM each, average time of %d"
                + " iterations of %s (%d for Hudi's reader); contestants are not alternated here."
                + " *warm*: the index is open and the same keys are looked up again; *other key"
                + " each time*: it is open; *cold*: it is opened anew, and files come from the"
                + " operating system's cache.",
            Sizes.rows("entries", 1000), runs, ITERATION, hudiRuns));
    measureOurs("warm", runs, "1", "100", manyKeys);
    measureOurs("warmAsInQuery", runs, "1");
    measureOurs("otherKeyEachTime", runs, "1");
    measureOurs("cold", runs, "1");
    measureHudi(HudiLookups.Engine.LOCAL, "warm", hudiRuns, "1", "100", manyKeys);
    measureHudi(HudiLookups.Engine.LOCAL, "cold", hudiRuns, "1");
    // Of many seconds each, cold as well as warm.
    measureHudi(HudiLookups.Engine.SPARK, "warm", hudiRuns, "1", manyKeys);
    ReportTable table =
        section.table("lookups", "Milliseconds", "index", "lookup", OURS, HUDI_LOCAL, HUDI_SPARK);
    for (IndexCopies index : IndexCopies.values()) {
      row(table, index, "1 key, warm", "warm", 1);
      row(table, index, "1 key, warm, with the two listings of a query", "warmAsInQuery", 1);
      row(table, index, "1 key, other key each time", "otherKeyEachTime", 1);
      row(table, index, "1 key, cold", "cold", 1);
      row(table, index, "100 keys, warm", "warm", 100);
      row(table, index, "10,000 keys, warm", "warm", MANY_KEYS);
    }
    section.save();
    new RequestCounts(section).measure();
    section.save();
  }

  private void measureOurs(String method, int runs, String... keys) throws RunnerException {
    measure(
        "ours", method, options(OurLookups.class, method, runs, keys).warmupIterations(WARMUPS));
  }

  /** Without warm-ups: its setup has looked up once, and a lookup takes up to seconds. */
  private void measureHudi(HudiLookups.Engine engine, String method, int runs, String... keys)
      throws RunnerException {
    measure(
        "hudi-" + engine,
        method,
        options(HudiLookups.class, method, runs, keys)
            .param("engine", engine.name())
            .warmupIterations(0));
  }

  private static ChainedOptionsBuilder options(
      Class<?> benchmark, String method, int runs, String... keys) {
    return new OptionsBuilder()
        .include(benchmark.getName() + "\\." + method + "$")
        .param("keys", keys)
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.NANOSECONDS)
        .warmupTime(ITERATION)
        .measurementIterations(runs)
        .measurementTime(ITERATION)
        .forks(1)
        .shouldFailOnError(true);
  }

  /**
   * @param contestant for the name of the file that JMH writes
   */
  private void measure(String contestant, String method, ChainedOptionsBuilder options)
      throws RunnerException {
    options.output(
        Sizes.directory().resolve("jmh-" + contestant + "-" + method + ".txt").toString());
    for (RunResult result : new Runner(options.build()).run()) {
      add(result, method);
    }
  }

  private void add(RunResult result, String method) {
    Sample sample =
        Sample.of(
            result.getAggregatedResult().getIterationResults().stream()
                .map(iteration -> iteration.getPrimaryResult().getScore() / 1e6)
                .collect(Collectors.toList()));
    BenchmarkParams params = result.getParams();
    IndexCopies index = IndexCopies.valueOf(params.getParam("index"));
    int keys = Integer.parseInt(params.getParam("keys"));
    String key = key(contestant(params), index, method, keys);
    times.put(key, sample);
    System.out.printf("%s: %.4f ms%n", key, sample.median());
  }

  private static String contestant(BenchmarkParams params) {
    String engine = params.getParam("engine");
    if (engine == null) {
      return OURS;
    }
    return HudiLookups.Engine.valueOf(engine) == HudiLookups.Engine.LOCAL ? HUDI_LOCAL : HUDI_SPARK;
  }

  private void row(ReportTable table, IndexCopies index, String lookup, String method, int keys) {
    table.row(
        index.title(),
        lookup,
        times.get(key(OURS, index, method, keys)),
        times.get(key(HUDI_LOCAL, index, method, keys)),
        times.get(key(HUDI_SPARK, index, method, keys)));
  }

  private static String key(String contestant, IndexCopies index, String method, int keys) {
    return String.join(" ", contestant, index.name(), method, Integer.toString(keys));
  }
}
