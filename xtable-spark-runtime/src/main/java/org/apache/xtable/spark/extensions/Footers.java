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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.io.FileIO;
import org.apache.xtable.index.iceberg.RowGroups;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the row groups of data files from their footers, several at a time, and keeps those that
 * were used last: data files never change.
 *
 * <p>Thread-safe.
 */
final class Footers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Footers.class);

  /** More footers than this are not read for one scan: the driver reads them, tasks wait. */
  static final int MAX_READ = 256;

  private static final int MAX_KEPT = 20_000;
  private static final int THREADS = 8;

  private final Map<String, RowGroups> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RowGroups> eldest) {
          return size() > MAX_KEPT;
        }
      }; // guarded by itself

  private final ExecutorService readers = readers();

  private static ExecutorService readers() {
    ThreadPoolExecutor readers =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "xtable-index-footers");
              thread.setDaemon(true);
              return thread;
            });
    readers.allowCoreThreadTimeOut(true);
    return readers;
  }

  /**
   * The row groups of files by their location. Files whose footers cannot be read, or that are too
   * many, are left out.
   */
  Map<String, RowGroups> read(FileIO io, List<DataFile> files) {
    Map<String, RowGroups> known = new HashMap<>();
    List<DataFile> unknown = new ArrayList<>();
    synchronized (kept) {
      for (DataFile file : files) {
        RowGroups groups = kept.get(file.location());
        if (groups != null) {
          known.put(file.location(), groups);
        } else if (unknown.size() < MAX_READ) {
          unknown.add(file);
        }
      }
    }
    Map<String, RowGroups> read = readNow(io, unknown);
    synchronized (kept) {
      kept.putAll(read);
    }
    known.putAll(read);
    return known;
  }

  private Map<String, RowGroups> readNow(FileIO io, List<DataFile> files) {
    Map<String, RowGroups> read = new HashMap<>();
    if (files.size() == 1) {
      readNow(io, files.get(0)).ifPresent(groups -> read.put(files.get(0).location(), groups));
      return read;
    }
    Map<String, Future<Optional<RowGroups>>> pending = new LinkedHashMap<>();
    for (DataFile file : files) {
      pending.put(file.location(), readers.submit(() -> readNow(io, file)));
    }
    try {
      for (Map.Entry<String, Future<Optional<RowGroups>>> future : pending.entrySet()) {
        future.getValue().get().ifPresent(groups -> read.put(future.getKey(), groups));
      }
    } catch (InterruptedException e) {
      pending.values().forEach(future -> future.cancel(true));
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Cannot read footers", e.getCause());
    }
    return read;
  }

  private static Optional<RowGroups> readNow(FileIO io, DataFile file) {
    try {
      return Optional.of(RowGroups.of(io.newInputFile(file.location(), file.fileSizeInBytes())));
    } catch (RuntimeException e) {
      LOG.debug("Cannot tell the row groups of {}; all of it is read", file.location(), e);
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    readers.shutdownNow();
    synchronized (kept) {
      kept.clear();
    }
  }
}
