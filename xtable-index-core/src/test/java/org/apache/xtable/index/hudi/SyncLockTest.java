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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.storage.HoodieStorage;
import org.apache.hudi.storage.HoodieStorageUtils;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.xtable.index.IndexException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyncLockTest {
  private HoodieStorage storage;
  private StoragePath file;
  private Path path;

  @BeforeEach
  void start(@TempDir Path folder) {
    path = folder.resolve("lock");
    file = new StoragePath(path.toString());
    storage =
        HoodieStorageUtils.getStorage(file, new HadoopStorageConfiguration(new Configuration()));
  }

  @Test
  @DisplayName("C12: a holder that asks while its lock is being renewed still holds it")
  void renewalDoesNotLookLikeALoss() {
    try (SyncLock lock = SyncLock.acquire(storage, file)) {
      CompletableFuture<Void> renewals =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 500; i++) {
                  lock.renew();
                }
              });
      do {
        lock.requireHeld();
      } while (!renewals.isDone());
      renewals.join();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  @DisplayName("C12: the second is told who holds it; a holder that lost it is told so, too")
  void oneHoldsIt() throws Exception {
    SyncLock lock = SyncLock.acquire(storage, file);
    String pid = "process " + ProcessHandle.current().pid();
    assertThatThrownBy(() -> SyncLock.acquire(storage, file))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining(pid);
    Files.deleteIfExists(path.resolveSibling(".lock.crc"));
    Files.writeString(path, "somebody else");
    assertThatThrownBy(lock::requireHeld)
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("somebody else");
    lock.close();
    assertThat(path).hasContent("somebody else");
  }
}
