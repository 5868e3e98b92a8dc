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
 * Keeps the blocks that were used last, up to so many bytes. Blocks never change: files of an index
 * are written once.
 *
 * <p>Thread-safe.
 */
final class EntryBlockCache {
  private final long maxBytes;
  private final Map<String, EntryBlock> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  EntryBlockCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  synchronized EntryBlock get(String key) {
    return blocks.get(key);
  }

  synchronized void put(String key, EntryBlock block) {
    EntryBlock before = blocks.put(key, block);
    bytes += block.bytes() - (before == null ? 0 : before.bytes());
    Iterator<EntryBlock> oldest = blocks.values().iterator();
    while (bytes > maxBytes && oldest.hasNext()) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }

  synchronized void clear() {
    blocks.clear();
    bytes = 0;
  }
}
