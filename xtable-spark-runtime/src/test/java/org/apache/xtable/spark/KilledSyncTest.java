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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.xtable.index.sync.TableSyncReport;
import org.apache.xtable.index.sync.TableSyncReport.Action;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * JVMs that sync are killed while this one queries. {@code xtable.test.kills} makes the run longer,
 * {@code xtable.test.seed} replays its choices.
 */
class KilledSyncTest {
  private static final int KILLS = Integer.getInteger("xtable.test.kills", 2);
  private static final String SYNCING = "syncing ";
  private static final long LONGEST_SYNC_MILLIS = 4000;

  private final long seed = Long.getLong("xtable.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  @DisplayName("C13: the JVM of a sync is killed; queries elsewhere stay right, the next recovers")
  void jvmsAreKilled(@TempDir Path folder) throws Exception {
    System.out.println("jvmsAreKilled: replay with -Dxtable.test.seed=" + seed);
    int queries = 0;
    int used = 0;
    try (SyncFixture fixture = new SyncFixture(folder)) {
      fixture.sql("CREATE TABLE lake.db.killed (id BIGINT, k STRING) USING iceberg");
      fixture.sql("INSERT INTO lake.db.killed SELECT id, concat('k', id) FROM range(100)");
      for (int kill = 0; kill < KILLS; kill++) {
        boolean firstBuild = kill % 3 == 0;
        if (firstBuild) {
          fixture.deleteIndex("killed");
        }
        Path output = folder.resolve("sync" + kill + ".log");
        try (OtherJvm syncs = OtherJvm.start(output, Syncs.class, folder.toString())) {
          int syncsBefore = firstBuild ? 0 : random.nextInt(5);
          long killAt = Long.MAX_VALUE;
          while (System.nanoTime() < killAt && syncs.isAlive()) {
            used += assertAnswer(fixture, "before kill " + kill) ? 1 : 0;
            queries++;
            if (killAt == Long.MAX_VALUE && syncs.output().contains(SYNCING + syncsBefore)) {
              killAt =
                  System.nanoTime()
                      + TimeUnit.MILLISECONDS.toNanos(
                          (long) (random.nextDouble() * LONGEST_SYNC_MILLIS));
            }
          }
          assertThat(syncs.isAlive()).as(syncs::output).isTrue();
          syncs.kill();
        }
        for (int query = 0; query < 5; query++) {
          assertAnswer(fixture, "after kill " + kill);
        }
        expireLock(fixture);
        TableSyncReport recovered = fixture.sync("killed", "k");
        assertThat(recovered.action())
            .as("%s, seed %d", recovered, seed)
            .isIn(Action.BUILT, Action.UPDATED, Action.REBUILT, Action.UNCHANGED);
        // That there is no index, queries may remember for a minute.
        long aMinuteOn = System.nanoTime() + TimeUnit.SECONDS.toNanos(70);
        boolean usedAgain = false;
        while (!usedAgain && System.nanoTime() < aMinuteOn) {
          usedAgain = assertAnswer(fixture, "after recovery " + kill);
        }
        assertThat(usedAgain)
            .as("index used after recovery %d, %s, seed %d", kill, recovered, seed)
            .isTrue();
      }
    }
    System.out.printf(
        "KilledSyncTest: %d kills, %d queries meanwhile, %d used the index%n",
        KILLS, queries, used);
  }

  /** Whether the index was used. Rows are only ever added, by the other JVM, at any time. */
  private boolean assertAnswer(SyncFixture fixture, String when) {
    fixture.sql("REFRESH TABLE lake.db.killed");
    String sql = "SELECT * FROM lake.db.killed WHERE k = 'k" + random.nextInt(110) + "'";
    List<String> before = fixture.rows(sql, false);
    String decision = fixture.decision(sql);
    List<String> rows = fixture.rows(sql, true);
    fixture.sql("REFRESH TABLE lake.db.killed");
    List<String> after = fixture.rows(sql, false);
    assertThat(rows)
        .as("%s %s: %s, %s, seed %d", sql, when, decision, rows, seed)
        .containsAll(before);
    assertThat(after)
        .as("%s %s: %s, %s, seed %d", sql, when, decision, rows, seed)
        .containsAll(rows);
    return decision.contains("[index: used, ");
  }

  /** Makes the lock of the dead sync look as old as it is when the next one is due. */
  private static void expireLock(SyncFixture fixture) throws IOException {
    Path lock = fixture.indexFolder("killed").resolve("xtable_index/lock");
    if (Files.exists(lock)) {
      Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(3))));
    }
  }

  /** The other JVM: syncs until it is killed; now and then an overwrite makes it rebuild. */
  static final class Syncs {
    public static void main(String[] args) {
      try (SyncFixture fixture = new SyncFixture(Path.of(args[0]))) {
        for (int sync = 0; true; sync++) {
          System.out.println(SYNCING + sync);
          fixture.sync("killed", "k");
          if (sync % 5 == 4) {
            fixture.sql("INSERT OVERWRITE lake.db.killed SELECT * FROM lake.db.killed");
          } else {
            fixture.sql(
                "INSERT INTO lake.db.killed SELECT %d + id, concat('k', id %% 110) FROM range(20)",
                100 * System.currentTimeMillis());
          }
        }
      }
    }
  }
}
