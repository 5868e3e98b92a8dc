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
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.apache.xtable.index.DataPath;

/**
 * The local file system as {@code jfs:/}, which while a guard is open refuses whatever would change
 * anything outside of the index' own folders.
 */
public final class GuardedFileSystem extends RawLocalFileSystem {
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

  private static void requireOfIndex(String what, Path path) throws IOException {
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

  @Override
  public FSDataOutputStream append(Path file, int bufferSize, Progressable progress)
      throws IOException {
    requireOfIndex("append to", file);
    return super.append(file, bufferSize, progress);
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    requireOfIndex("create", file);
    return super.create(file, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    requireOfIndex("create", file);
    return super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public FSDataOutputStream createNonRecursive(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    requireOfIndex("create", file);
    return super.createNonRecursive(
        file, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    requireOfIndex("rename", from);
    requireOfIndex("rename to", to);
    return super.rename(from, to);
  }

  @Override
  public boolean truncate(Path file, long length) throws IOException {
    requireOfIndex("truncate", file);
    return super.truncate(file, length);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    requireOfIndex("delete", path);
    return super.delete(path, recursive);
  }

  @Override
  public void setTimes(Path path, long modified, long accessed) throws IOException {
    requireOfIndex("set times of", path);
    super.setTimes(path, modified, accessed);
  }

  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    // Not done, only guarded: without Hadoop's native library each costs a process.
    requireOfIndex("set permissions of", path);
  }
}
