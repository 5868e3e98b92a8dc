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
package org.apache.xtable.spark;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;

/**
 * The local file system, which stops changing anything in the folders of indexes after so many
 * changes: to the storage, that is what a process looks like that is killed, or a disk that is
 * full.
 */
public final class DyingFileSystem extends AskingFileSystem {
  private static final AtomicLong CHANGES = new AtomicLong();
  private static volatile long lastChange = Long.MAX_VALUE;

  /** Lets so many changes happen from now on. */
  static void dieAfter(long changes) {
    CHANGES.set(0);
    lastChange = changes;
  }

  static void revive() {
    dieAfter(Long.MAX_VALUE);
  }

  /** The changes that were tried since {@link #dieAfter}. */
  static long changes() {
    return CHANGES.get();
  }

  @Override
  public String getScheme() {
    return "file";
  }

  @Override
  void beforeChange(String what, Path path) throws IOException {
    if (path.toString().contains("/.hoodie") && CHANGES.incrementAndGet() > lastChange) {
      throw new IOException("The process is dead, or the disk full: " + path);
    }
  }
}
