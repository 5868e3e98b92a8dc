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
import java.util.Collections;
import java.util.List;
import org.apache.xtable.index.IndexException;

/** A config file is wrong. Carries every problem of the file, each with its place. */
public final class InvalidConfigException extends IndexException {
  private static final long serialVersionUID = 1L;

  private final ArrayList<String> problems;

  InvalidConfigException(String what, List<String> problems) {
    super("Cannot read " + what + ": " + join(problems));
    this.problems = new ArrayList<>(problems);
  }

  InvalidConfigException(String what, String problem, Throwable cause) {
    super("Cannot read " + what + ": " + problem, cause);
    this.problems = new ArrayList<>(Collections.singletonList(problem));
  }

  /** The problems in the order of the file, as {@code line 3, column 5: what is wrong}. */
  public List<String> problems() {
    return Collections.unmodifiableList(problems);
  }

  private static String join(List<String> problems) {
    if (problems.size() == 1) {
      return problems.get(0);
    }
    return problems.size() + " problems\n  - " + String.join("\n  - ", problems);
  }
}
