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
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Keeps values for a bounded time, and so many at most: the oldest go first.
 *
 * <p>Thread-safe.
 */
final class ShortMemory<V> {
  private final int maxValues;
  private final long maxNanos;
  private final LongSupplier nanoClock;
  private final Map<String, Kept<V>> values = new LinkedHashMap<>();

  ShortMemory(int maxValues, long maxNanos, LongSupplier nanoClock) {
    this.maxValues = maxValues;
    this.maxNanos = maxNanos;
    this.nanoClock = nanoClock;
  }

  synchronized Optional<V> get(String key) {
    Kept<V> kept = values.get(key);
    if (kept == null) {
      return Optional.empty();
    }
    if (nanoClock.getAsLong() - kept.since >= maxNanos) {
      values.remove(key);
      return Optional.empty();
    }
    return Optional.of(kept.value);
  }

  synchronized void put(String key, V value) {
    values.remove(key);
    values.put(key, new Kept<>(value, nanoClock.getAsLong()));
    if (values.size() > maxValues) {
      values.remove(values.keySet().iterator().next());
    }
  }

  private static final class Kept<V> {
    private final V value;
    private final long since;

    Kept(V value, long since) {
      this.value = value;
      this.since = since;
    }
  }
}
