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
package org.apache.xtable.spark.extensions;

import java.util.Optional;
import org.apache.xtable.spark.extensions.PruningDecision.NotUsed;
import org.apache.xtable.spark.extensions.PruningDecision.Used;

/**
 * What one scan of an Iceberg table makes of the table's index.
 *
 * <p>Immutable.
 */
public final class IndexUse {
  private final String table;
  private final PruningDecision decision;

  IndexUse(String table, PruningDecision decision) {
    this.table = table;
    this.decision = decision;
  }

  /** The name of the table, with its catalog. */
  public String table() {
    return table;
  }

  /** Whether the index tells what the scan reads. */
  public boolean isUsed() {
    return decision instanceof Used;
  }

  /**
   * The stable code of why the index is not used, such as {@code STALE}; empty if it is used. All
   * codes are explained in {@code docs/when-the-index-is-not-used.md}.
   */
  public Optional<String> reasonCode() {
    return isUsed() ? Optional.empty() : Optional.of(((NotUsed) decision).reason().name());
  }

  /** What was selected of what, or why the index is not used and what to do, as one line. */
  public String explanation() {
    return decision.summary();
  }

  /** What made the index unreadable. */
  public Optional<Throwable> cause() {
    return isUsed() ? Optional.empty() : ((NotUsed) decision).cause();
  }

  @Override
  public String toString() {
    return table + ": " + explanation();
  }
}
