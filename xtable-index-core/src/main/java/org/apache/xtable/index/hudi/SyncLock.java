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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.StoragePath;
import org.apache.xtable.index.IndexException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps two syncs, in whatever processes, from writing the same index: a file that its holder
 * renews while it works. A holder that died renews no more, and the next sync takes its place.
 *
 * <p>The file is created only if it is not there, which file systems but some object stores do in
 * one step. Where it is not one step, two syncs that start within the same moment may both get past
 * it; so the holder asks {@link #requireHeld} again right before its commit, and the one whose file
 * was overwritten stops.
 *
 * <p>Hudi 1.2.0's lock for file systems has no renewal, so that it would be taken from a build that
 * takes longer than its limit.
 */
final class SyncLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SyncLock.class);

  private static final Duration RENEWAL = Duration.ofSeconds(15);

  /** How long a lock is good for after its last renewal. */
  private static final Duration VALIDITY = Duration.ofMinutes(2);

  private final HoodieStorage storage;
  private final StoragePath file;
  private final String holder;
  private final ScheduledExecutorService renewal;

  private SyncLock(HoodieStorage storage, StoragePath file, String holder) {
    this.storage = storage;
    this.file = file;
    this.holder = holder;
    this.renewal =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "xtable-index-sync-lock");
              thread.setDaemon(true);
              return thread;
            });
    renewal.scheduleWithFixedDelay(
        this::renew, RENEWAL.toMillis(), RENEWAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * @throws IndexException if another sync holds it; the message tells which
   */
  static SyncLock acquire(HoodieStorage storage, StoragePath file) {
    String holder =
        String.format(
            "%s, process %d, since %s, %s",
            host(), ProcessHandle.current().pid(), Instant.now(), UUID.randomUUID());
    try {
      if (!create(storage, file, holder)) {
        removeIfExpired(storage, file);
        if (!create(storage, file, holder)) {
          throw new IndexException(
              String.format(
                  "Cannot sync: another sync is writing this index (%s); wait for it to end. If it died, its"
                      + " lock %s is free %d s after its last renewal",
                  read(storage, file), file, VALIDITY.toSeconds()));
        }
      }
    } catch (IOException e) {
      throw new IndexException(
          String.format("Cannot lock index: cannot write %s: %s", file, e.getMessage()), e);
    }
    return new SyncLock(storage, file, holder);
  }

  private static boolean create(HoodieStorage storage, StoragePath file, String holder)
      throws IOException {
    if (storage.exists(file)) {
      return false;
    }
    try (OutputStream out = storage.create(file, false)) {
      out.write(holder.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      if (storage.exists(file)) {
        return false;
      }
      throw e;
    }
    return read(storage, file).equals(holder);
  }

  private static void removeIfExpired(HoodieStorage storage, StoragePath file) throws IOException {
    try {
      long renewed = storage.getPathInfo(file).getModificationTime();
      if (System.currentTimeMillis() - renewed <= VALIDITY.toMillis()) {
        return;
      }
      String dead = read(storage, file);
      StoragePath aside =
          new StoragePath(file.getParent(), file.getName() + "." + UUID.randomUUID());
      // Of several syncs that find it expired, one moves it.
      if (storage.rename(file, aside)) {
        LOG.info(
            "Taking the place of a sync that renewed its lock last at {}: {}",
            Instant.ofEpochMilli(renewed),
            dead);
        storage.deleteFile(aside);
      }
    } catch (FileNotFoundException e) {
      // It was given back in the meantime.
    }
  }

  /**
   * @throws IndexException if another sync has taken the lock
   */
  synchronized void requireHeld() {
    String now;
    try {
      now = read(storage, file);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the index' lock " + file, e);
    }
    if (!now.equals(holder)) {
      throw new IndexException(
          "Cannot sync: another sync has taken the lock of this index ("
              + now
              + "); what this one wrote is left for the other to undo");
    }
  }

  /** Synchronized, as the file is empty for a moment on file systems that write it in place. */
  synchronized void renew() {
    try {
      requireHeld();
      try (OutputStream out = storage.create(file, true)) {
        out.write(holder.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot renew the index' lock {}", file, e);
    }
  }

  private static String read(HoodieStorage storage, StoragePath file) throws IOException {
    try (InputStream in = storage.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (FileNotFoundException e) {
      return "nobody";
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown host";
    }
  }

  @Override
  public void close() {
    renewal.shutdownNow();
    try {
      // A renewal under way might bring the file back.
      renewal.awaitTermination(RENEWAL.toMillis(), TimeUnit.MILLISECONDS);
      if (read(storage, file).equals(holder)) {
        storage.deleteFile(file);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("Cannot delete the index' lock {}; it expires by itself", file, e);
    }
  }
}
