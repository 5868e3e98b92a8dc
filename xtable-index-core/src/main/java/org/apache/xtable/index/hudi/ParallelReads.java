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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads several runs of entries at once: on object stores most of a read is waiting, and unpacking
 * what was read is work for more than one core.
 *
 * <p>Thread-safe. Idle threads end after a while; {@link #close} ends all.
 */
final class ParallelReads implements AutoCloseable {
  private static final int THREADS =
      Math.max(8, Math.min(32, 2 * Runtime.getRuntime().availableProcessors()));

  private final ThreadPoolExecutor threads;

  ParallelReads() {
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "xtable-index-lookup");
              thread.setDaemon(true);
              // Hadoop finds file systems by it.
              thread.setContextClassLoader(ParallelReads.class.getClassLoader());
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * The results in the order of the reads.
   *
   * @throws IOException if one of them failed; the others are given up
   */
  <T> List<T> run(List<? extends Callable<T>> reads) throws IOException {
    if (reads.size() == 1) {
      return List.of(call(reads.get(0)));
    }
    List<Future<T>> futures = new ArrayList<>(reads.size());
    try {
      for (Callable<T> read : reads) {
        futures.add(threads.submit(read));
      }
      List<T> results = new ArrayList<>(reads.size());
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error) {
        throw (Error) e.getCause();
      }
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while reading index entries", e);
    } finally {
      futures.forEach(future -> future.cancel(true));
    }
  }

  private static <T> T call(Callable<T> read) throws IOException {
    try {
      return read.call();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
