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
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** The local file system, which asks before each change. */
abstract class AskingFileSystem extends RawLocalFileSystem {
  /**
   * @param what the change, as a verb
   * @throws IOException if it must not happen
   */
  abstract void beforeChange(String what, Path path) throws IOException;

  @Override
  public FSDataOutputStream append(Path file, int bufferSize, Progressable progress)
      throws IOException {
    beforeChange("append to", file);
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
    beforeChange("create", file);
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
    beforeChange("create", file);
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
    beforeChange("create", file);
    return super.createNonRecursive(
        file, permission, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    beforeChange("rename", from);
    beforeChange("rename to", to);
    return super.rename(from, to);
  }

  @Override
  public boolean truncate(Path file, long length) throws IOException {
    beforeChange("truncate", file);
    return super.truncate(file, length);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    beforeChange("delete", path);
    return super.delete(path, recursive);
  }

  @Override
  public void setTimes(Path path, long modified, long accessed) throws IOException {
    beforeChange("set times of", path);
    super.setTimes(path, modified, accessed);
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    if (!exists(path)) {
      beforeChange("make folder", path);
    }
    return super.mkdirs(path);
  }

  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    // Not done, only asked for: without Hadoop's native library each costs a process.
    beforeChange("set permissions of", path);
  }
}
