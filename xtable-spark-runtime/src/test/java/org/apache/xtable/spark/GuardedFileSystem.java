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
import java.net.URI;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.xtable.index.DataPath;

/**
 * The local file system as {@code jfs:/}, which while a guard is open refuses whatever would change
 * anything outside of the index' own folders.
 */
public final class GuardedFileSystem extends AskingFileSystem {
  /** One of those that Hudi knows: it refuses others. */
  static final String SCHEME = "jfs";

  /** Of all instances: Spark and Hudi make their own. */
  private static volatile boolean closed;

  /** Refuses changes until closed. */
  static AutoCloseable guard() {
    closed = true;
    return () -> closed = false;
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  void beforeChange(String what, Path path) throws IOException {
    for (Path at = path; at != null; at = at.getParent()) {
      if (at.getName().equals(DataPath.INDEX_FOLDER)) {
        return;
      }
    }
    if (closed) {
      throw new IOException("Refused to " + what + " " + path);
    }
  }

  /** The parent's statuses ask for permissions by a {@code file:} URI. */
  private static FileStatus plain(FileStatus status) {
    return new FileStatus(
        status.getLen(),
        status.isDirectory(),
        status.getReplication(),
        status.getBlockSize(),
        status.getModificationTime(),
        status.getPath());
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    return plain(super.getFileStatus(path));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    FileStatus[] statuses = super.listStatus(path);
    for (int i = 0; i < statuses.length; i++) {
      statuses[i] = plain(statuses[i]);
    }
    return statuses;
  }
}
