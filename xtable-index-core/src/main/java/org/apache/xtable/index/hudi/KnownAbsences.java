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
package org.apache.xtable.index.hudi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Which data paths have no index. An absence is believed, without looking again, for as long as it
 * was seen to last, but never for more than a bounded time: a table that is queried often and never
 * synced costs next to nothing, and one that is synced right after its first queries is noticed at
 * once.
 *
 * <p>Thread-safe.
 */
final class KnownAbsences {
  private final int maxPaths;
  private final long maxNanos;
  private final LongSupplier nanoClock;
  private final Map<String, Absence> absences = new LinkedHashMap<>(16, 0.75f, true);

  KnownAbsences(int maxPaths, long maxNanos, LongSupplier nanoClock) {
    this.maxPaths = maxPaths;
    this.maxNanos = maxNanos;
    this.nanoClock = nanoClock;
  }

  /** Whether it need not be looked for again now. */
  synchronized boolean isBelieved(String dataPath) {
    Absence absence = absences.get(dataPath);
    return absence != null
        && nanoClock.getAsLong() - absence.lastSeen
            < Math.min(maxNanos, absence.lastSeen - absence.firstSeen);
  }

  /** There was none just now. */
  synchronized void seen(String dataPath) {
    long now = nanoClock.getAsLong();
    absences.computeIfAbsent(dataPath, ignored -> new Absence(now)).lastSeen = now;
    if (absences.size() > maxPaths) {
      absences.remove(absences.keySet().iterator().next());
    }
  }

  /** There is one now. */
  synchronized void ended(String dataPath) {
    absences.remove(dataPath);
  }

  private static final class Absence {
    private final long firstSeen;
    private long lastSeen;

    Absence(long firstSeen) {
      this.firstSeen = firstSeen;
      this.lastSeen = firstSeen;
    }
  }
}
