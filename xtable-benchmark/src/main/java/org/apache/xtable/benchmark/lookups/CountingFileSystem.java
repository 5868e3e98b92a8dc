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
package org.apache.xtable.benchmark.lookups;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Local files; counts the requests that an object store would get: one to open or look at a file,
 * one for each range of bytes, one for each listing.
 */
public final class CountingFileSystem extends FilterFileSystem {
  private static final String NAME = "xtable.benchmark.counter";

  /** Hadoop makes file systems by itself; they find their counter by a name in their settings. */
  private static final Map<String, AtomicLong> COUNTERS = new ConcurrentHashMap<>();

  public CountingFileSystem() {
    super(new RawLocalFileSystem());
  }

  /** Hudi asks for it before it opens log files. */
  @Override
  public String getScheme() {
    return "file";
  }

  /** What a reader asked for. */
  static final class Requests {
    private final AtomicLong count = new AtomicLong();
    private final Configuration conf;

    Requests() {
      String name = Integer.toHexString(System.identityHashCode(this));
      COUNTERS.put(name, count);
      this.conf = new Configuration();
      conf.set(NAME, name);
      conf.set("fs.file.impl", CountingFileSystem.class.getName());
      conf.setBoolean("fs.file.impl.disable.cache", true);
    }

    /** Requests for local files with this configuration are counted. */
    Configuration conf() {
      return conf;
    }

    /** How many there were since this was last called. */
    long take() {
      return count.getAndSet(0);
    }
  }

  private void count() {
    COUNTERS.get(getConf().get(NAME)).incrementAndGet();
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    count();
    return new FSDataInputStream(new CountingStream(super.open(path, bufferSize)));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    count();
    return super.listStatus(path);
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
    count();
    return super.listLocatedStatus(path);
  }

  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    count();
    return super.listStatusIterator(path);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    count();
    return super.getFileStatus(path);
  }

  private final class CountingStream extends FSInputStream {
    private final FSDataInputStream in;
    private long endOfRange = -1;

    CountingStream(FSDataInputStream in) {
      this.in = in;
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
        count();
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
