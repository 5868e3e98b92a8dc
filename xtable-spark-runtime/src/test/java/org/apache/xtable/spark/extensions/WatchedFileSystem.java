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

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * Local files without Hadoop's own checksums, which would hide what is damaged. Notes the requests
 * that an object store would get, and refuses those that a test wants refused. A test tells its own
 * file system from others by a name in the configuration.
 */
public final class WatchedFileSystem extends FilterFileSystem {
  private static final String NAME = "test.watched.name";
  private static final Map<String, Watch> WATCHES = new ConcurrentHashMap<>();

  public WatchedFileSystem() {
    super(new RawLocalFileSystem());
  }

  /** What a test sees of its file system. */
  static final class Watch {
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicReference<Runnable> beforeRequest = new AtomicReference<>();
    private volatile Predicate<String> refused = path -> false;
    private volatile Predicate<String> awaited = path -> false;

    /** A configuration with this file system for all local paths. */
    Configuration on(Configuration conf) {
      Configuration watched = new Configuration(conf);
      String name = Integer.toHexString(System.identityHashCode(this));
      WATCHES.put(name, this);
      watched.set(NAME, name);
      watched.set("fs.file.impl", WatchedFileSystem.class.getName());
      watched.setBoolean("fs.file.impl.disable.cache", true);
      return watched;
    }

    /** Requests since the last call: {@code <kind> <path>}. */
    List<String> takeRequests() {
      List<String> taken = List.copyOf(requests);
      requests.clear();
      return taken;
    }

    /** Refuses access to paths as an object store or HDFS does. */
    void refuse(Predicate<String> paths) {
      this.refused = paths;
    }

    /** Does something once, before the next request for one of the paths is answered. */
    void beforeNext(Predicate<String> paths, Runnable action) {
      this.awaited = paths;
      beforeRequest.set(action);
    }

    private void request(String kind, Path path) throws IOException {
      requests.add(kind + " " + path.toUri().getPath());
      if (awaited.test(path.toUri().getPath())) {
        Runnable action = beforeRequest.getAndSet(null);
        if (action != null) {
          action.run();
        }
      }
      if (refused.test(path.toUri().getPath())) {
        throw new org.apache.hadoop.security.AccessControlException("Permission denied: " + path);
      }
    }
  }

  private Watch watch() {
    return WATCHES.get(getConf().get(NAME));
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    watch().request("open", path);
    return new FSDataInputStream(new WatchedStream(super.open(path, bufferSize), watch(), path));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    watch().request("list", path);
    return super.listStatus(path);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    watch().request("status", path);
    return super.getFileStatus(path);
  }

  /** Notes each range of bytes, as an object store gets one request for each. */
  private static final class WatchedStream extends FSInputStream {
    private final FSDataInputStream in;
    private final Watch watch;
    private final Path path;
    private long endOfRange = -1;

    WatchedStream(FSDataInputStream in, Watch watch, Path path) {
      this.in = in;
      this.watch = watch;
      this.path = path;
    }

    @Override
    public int read() throws IOException {
      beforeRead();
      int read = in.read();
      endOfRange = in.getPos();
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      beforeRead();
      int read = in.read(bytes, offset, length);
      endOfRange = in.getPos();
      return read;
    }

    private void beforeRead() throws IOException {
      if (in.getPos() != endOfRange) {
        watch.request("read", path);
      }
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long target) throws IOException {
      return in.seekToNewSource(target);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
