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

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps the blocks of entries, and the indexes of blocks, that were used last, up to so many bytes.
 * They never change: files of an index are written once.
 *
 * <p>Thread-safe.
 */
final class EntryCache {
  /** What can be cached. */
  interface Item {
    /** Roughly what it takes in memory. */
    int bytes();
  }

  private final long maxBytes;
  private final Map<String, Item> items = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  EntryCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Null if it is not there, or no longer. */
  synchronized <T extends Item> T get(String key, Class<T> type) {
    return type.cast(items.get(key));
  }

  synchronized void put(String key, Item item) {
    Item before = items.put(key, item);
    bytes += item.bytes() - (before == null ? 0 : before.bytes());
    Iterator<Item> oldest = items.values().iterator();
    while (bytes > maxBytes && oldest.hasNext()) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }

  synchronized void clear() {
    items.clear();
    bytes = 0;
  }
}
