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
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * The local file system, which stops changing anything in the folders of indexes after so many
 * changes: to the storage, that is what a process looks like that is killed, or a disk that is
 * full.
 */
public final class DyingFileSystem extends RawLocalFileSystem {
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

  private static void change(Path path) throws IOException {
    if (path.toString().contains("/.hoodie") && CHANGES.incrementAndGet() > lastChange) {
      throw new IOException("The process is dead, or the disk full: " + path);
    }
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    change(path);
    return super.create(path, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    change(path);
    return super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public FSDataOutputStream createNonRecursive(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    change(path);
    return super.createNonRecursive(
        path, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    change(from);
    return super.rename(from, to);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    change(path);
    return super.delete(path, recursive);
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    change(path);
    return super.mkdirs(path);
  }
}
