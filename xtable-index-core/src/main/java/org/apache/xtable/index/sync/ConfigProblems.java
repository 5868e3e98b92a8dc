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
package org.apache.xtable.index.sync;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/** Collects what is wrong with one config file, so that all of it can be said at once. */
final class ConfigProblems {
  private final String what;
  private final List<Problem> problems = new ArrayList<>();

  /**
   * @param what the file, for messages: {@code dataset config hdfs://…/config.yaml}
   */
  ConfigProblems(String what) {
    this.what = what;
  }

  void add(Node at, String message) {
    problems.add(new Problem(at.getStartMark(), message));
  }

  void throwIfAny() {
    if (!problems.isEmpty()) {
      throw new InvalidConfigException(
          what,
          problems.stream()
              .sorted(Comparator.comparingInt(problem -> problem.at.getIndex()))
              .map(problem -> place(problem.at) + problem.message)
              .collect(Collectors.toList()));
    }
  }

  static String place(Mark mark) {
    return String.format("line %d, column %d: ", mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static final class Problem {
    private final Mark at;
    private final String message;

    private Problem(Mark at, String message) {
      this.at = at;
      this.message = message;
    }
  }
}
