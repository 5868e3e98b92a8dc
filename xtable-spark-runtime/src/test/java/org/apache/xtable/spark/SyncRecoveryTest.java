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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.xtable.index.sync.HudiTarget;
import org.apache.xtable.index.sync.TableSyncReport;
import org.apache.xtable.index.sync.TableSyncReport.Action;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Syncs that are cut short, meet another one, or find a damaged index.
 *
 * <p>{@code xtable.test.seed} replays a run, {@code xtable.test.deaths} and {@code
 * xtable.test.damages} make it longer.
 */
class SyncRecoveryTest {
  private static final int DEATHS = Integer.getInteger("xtable.test.deaths", 2);

  private static final int DAMAGES = Integer.getInteger("xtable.test.damages", 3);

  /** A table with a change of which the sync compacts the index. */
  private static final String DUE = "due";

  private static SyncFixture fixture;

  /** The index of {@link #DUE} before that sync. */
  private static Path dueIndex;

  private final long seed = Long.getLong("xtable.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    fixture =
        new SyncFixture(
            folder, Map.of("spark.hadoop.fs.file.impl", DyingFileSystem.class.getName()));
    dueIndex = untilCompactionIsDue();
  }

  @AfterAll
  static void stop() {
    fixture.close();
  }

  @AfterEach
  void revive() {
    DyingFileSystem.revive();
  }

  @Test
  @DisplayName("C13: a first build, an increment and a rebuild may end at any point")
  void deathAtAnyPoint() throws IOException {
    System.out.println("deathAtAnyPoint: replay with -Dxtable.test.seed=" + seed);
    create("dying");
    dieAndRecover("dying", "first build", Action.BUILT);
    append("dying", 1000);
    dieAndRecover("dying", "increment", Action.UPDATED);
    fixture.sql(
        "INSERT OVERWRITE lake.db.dying SELECT id + 7000, k FROM lake.db.dying WHERE id < 500");
    dieAndRecover("dying", "rebuild", null);
  }

  @Test
  @DisplayName("C13: an increment with a compaction may end at any point")
  void deathInACompaction() throws IOException {
    System.out.println("deathInACompaction: replay with -Dxtable.test.seed=" + seed);
    restore(dueIndex, fixture.indexFolder(DUE));
    Set<String> notCompacted = baseFiles(DUE);
    dieAndRecover(DUE, "increment with compaction", Action.UPDATED);
    assertThat(baseFiles(DUE)).isNotEqualTo(notCompacted);
  }

  @Test
  @DisplayName("C11: a JVM may begin with the sync that compacts, as those of a scheduler do")
  void compactionInAJvmOfItsOwn() throws Exception {
    restore(dueIndex, fixture.indexFolder(DUE));
    Set<String> notCompacted = baseFiles(DUE);
    Path output = fixture.folder().resolve("other-jvm.log");
    try (OtherJvm sync = OtherJvm.start(output, OneSync.class, fixture.folder().toString())) {
      assertThat(sync.exitCode()).as(sync::output).isZero();
      assertThat(sync.output()).contains(DUE + ": UPDATED").doesNotContain("Hudi compacts it");
    }
    assertThat(baseFiles(DUE)).isNotEqualTo(notCompacted);
    assertAnswers(DUE, "compacted by another JVM");
    assertThat(fixture.decision("SELECT * FROM lake.db." + DUE + " WHERE k = 'k3'"))
        .contains("[index: used, ");
  }

  /** The other JVM. */
  static final class OneSync {
    public static void main(String[] args) {
      // With one core Hudi compacts its listing first, before any file group is merged.
      try (SyncFixture fixture =
          new SyncFixture(Path.of(args[0]), Map.of("spark.master", "local[1]"))) {
        System.out.println(fixture.sync(DUE, "k").toLine());
      }
    }
  }

  /**
   * Makes the table, and leaves it with a change of which the sync will compact the index.
   *
   * @return a copy of the index before that sync
   */
  private static Path untilCompactionIsDue() throws IOException {
    create(DUE);
    fixture.sync(DUE, "k");
    Path index = fixture.indexFolder(DUE);
    for (int sync = 0; sync < 12; sync++) {
      append(DUE, 2000 + 100 * sync);
      Path backup = fixture.folder().resolve("not-compacted-" + sync);
      copy(index, backup);
      Set<String> before = baseFiles(DUE);
      assertThat(fixture.sync(DUE, "k").action()).isEqualTo(Action.UPDATED);
      if (!baseFiles(DUE).equals(before)) {
        restore(backup, index);
        return backup;
      }
    }
    throw new AssertionError("No sync has compacted the index");
  }

  private static Set<String> baseFiles(String name) {
    String[] files =
        fixture.indexFolder(name).resolve("metadata/secondary_index_k").toFile().list();
    return Stream.of(files).filter(file -> file.endsWith(".hfile")).collect(Collectors.toSet());
  }

  /**
   * @param whole what the sync does when it gets to its end, or null if that depends
   */
  private void dieAndRecover(String name, String what, Action whole) throws IOException {
    Path index = fixture.indexFolder(name);
    Path backup = fixture.folder().resolve("backup-" + random.nextInt(Integer.MAX_VALUE));
    copy(index, backup);
    DyingFileSystem.dieAfter(Long.MAX_VALUE - 1);
    fixture.sync(name, "k");
    long changes = DyingFileSystem.changes();
    for (int death = 0; death < DEATHS; death++) {
      restore(backup, index);
      // The last one is just before the end.
      long at = death == DEATHS - 1 ? changes - 3 : (long) (random.nextDouble() * changes);
      DyingFileSystem.dieAfter(at);
      TableSyncReport died = fixture.trySync(name, HudiTarget.ofColumn("k"));
      DyingFileSystem.revive();
      String where =
          String.format(
              "%s, dead after %d of %d changes: %s, seed %d", what, at, changes, died, seed);
      assertAnswers(name, where);
      expire(index);
      TableSyncReport recovered = fixture.sync(name, "k");
      if (whole != null && died.hasFailed()) {
        assertThat(recovered.action())
            .describedAs(where)
            .isIn(whole, Action.UNCHANGED, Action.BUILT, Action.REBUILT);
      }
      assertThat(fixture.index(name).state().snapshotId())
          .describedAs(where)
          .isEqualTo(fixture.table(name).currentSnapshot().snapshotId());
      assertAnswers(name, where);
      assertThat(fixture.decision("SELECT * FROM lake.db." + name + " WHERE k = 'k3'"))
          .describedAs(where)
          .contains("[index: used, ");
    }
  }

  private void assertAnswers(String name, String where) {
    for (int query = 0; query < 3; query++) {
      String sql =
          String.format("SELECT * FROM lake.db.%s WHERE k = 'k%d'", name, random.nextInt(400));
      assertThat(fixture.rows(sql, true))
          .describedAs("%s, %s", where, sql)
          .isEqualTo(fixture.rows(sql, false));
    }
  }

  @Test
  @DisplayName("C12: a sync that meets another one at work fails, says which, and changes nothing")
  void oneSyncAtATime() throws IOException {
    create("locked");
    fixture.sync("locked", "k");
    append("locked", 100);
    Path lock = fixture.indexFolder("locked").resolve("xtable_index").resolve("lock");
    Files.writeString(lock, "another host, process 1");
    Map<Path, String> before = contents(fixture.indexFolder("locked"));
    TableSyncReport report = fixture.trySync("locked", HudiTarget.ofColumn("k"));
    assertThat(report.hasFailed()).isTrue();
    assertThat(report.error().orElseThrow())
        .hasMessageContaining("another sync is writing this index")
        .hasMessageContaining("another host, process 1");
    assertThat(contents(fixture.indexFolder("locked"))).isEqualTo(before);

    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(3))));
    assertThat(fixture.sync("locked", "k").action()).isEqualTo(Action.UPDATED);
    assertThat(lock).doesNotExist();
    assertThat(fixture.locations("locked", "k104")).isEqualTo(fixture.rows("locked", "k = 'k104'"));
  }

  @Test
  @DisplayName("A damaged index is built anew by the next sync, without help")
  void damageIsRepaired() throws IOException {
    create("damaged");
    fixture.sync("damaged", "k");
    append("damaged", 100);
    fixture.sync("damaged", "k");
    for (String victim : List.of(".hfile", ".log.", ".manifest")) {
      append("damaged", random.nextInt(1_000_000));
      for (Path file : contents(fixture.indexFolder("damaged")).keySet()) {
        boolean entries = file.toString().contains("secondary_index_k") && Files.size(file) > 100;
        if (file.getFileName().toString().contains(victim)
            && (entries || victim.equals(".manifest"))) {
          Files.delete(file);
        }
      }
      assertAnswers("damaged", victim);
      TableSyncReport repaired = fixture.sync("damaged", "k");
      assertThat(repaired.action()).describedAs(victim).isEqualTo(Action.REBUILT);
      assertThat(repaired.reason().orElseThrow()).contains("the index is damaged", "missing");
      assertAnswers("damaged", victim);
      append("damaged", random.nextInt(1_000_000));
      fixture.sync("damaged", "k");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hoodie.properties",
        "metadata/.hoodie/hoodie.properties",
        "metadata/.hoodie/timeline",
        "metadata/files",
        "metadata/secondary_index_k",
        "xtable_index",
        "metadata"
      })
  @DisplayName("What is missing is noticed by the next sync, even if there is nothing new")
  void missingPartsAreNoticed(String part) throws IOException {
    String name = "missing_" + part.replaceAll("\\W", "_");
    create(name);
    fixture.sync(name, "k");
    FileUtils.forceDelete(fixture.indexFolder(name).resolve(part).toFile());
    assertThat(fixture.sync(name, "k").action()).isEqualTo(Action.REBUILT);
    assertThat(fixture.sync(name, "k").action()).isEqualTo(Action.UNCHANGED);
    assertAnswers(name, part);
  }

  @Test
  @DisplayName("Whatever file of the index is damaged, the next two syncs work without help")
  void anyFileMayBeDamaged() throws IOException {
    System.out.println("anyFileMayBeDamaged: replay with -Dxtable.test.seed=" + seed);
    create("fragile");
    fixture.sync("fragile", "k");
    for (int sync = 0; sync < 11; sync++) {
      append("fragile", 100 * sync);
      fixture.sync("fragile", "k");
    }
    Path index = fixture.indexFolder("fragile");
    Path backup = fixture.folder().resolve("backup-fragile");
    copy(index, backup);
    List<Path> files =
        contents(index).keySet().stream()
            .filter(file -> !file.toString().endsWith(".crc"))
            .sorted()
            .collect(Collectors.toList());
    Collections.shuffle(files, random);
    for (Path file : files.subList(0, Math.min(DAMAGES, files.size()))) {
      restore(backup, index);
      String damage = damage(file);
      for (int sync = 0; sync < 2; sync++) {
        append("fragile", random.nextInt(1_000_000));
        assertAnswers("fragile", damage);
        TableSyncReport report = fixture.trySync("fragile", HudiTarget.ofColumn("k"));
        report
            .error()
            .ifPresent(
                error -> {
                  throw new AssertionError(damage + ", seed " + seed, error);
                });
        assertAnswers("fragile", damage);
        assertThat(fixture.decision("SELECT * FROM lake.db.fragile WHERE k = 'k3'"))
            .describedAs("%s, %s, seed %d", damage, report, seed)
            .contains("[index: used, ");
      }
    }
  }

  private String damage(Path file) throws IOException {
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    byte[] bytes = Files.readAllBytes(file);
    switch (random.nextInt(3)) {
      case 0:
        Files.delete(file);
        return file + " deleted";
      case 1:
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        return file + " cut";
      default:
        random.nextBytes(bytes);
        Files.write(file, bytes);
        return file + " overwritten";
    }
  }

  private static void create(String name) {
    fixture.sql("CREATE TABLE lake.db.%s (id BIGINT, k STRING) USING iceberg", name);
    append(name, 0);
  }

  private static void append(String name, int from) {
    fixture.sql(
        "INSERT INTO lake.db.%s SELECT id, concat('k', id %% 300) FROM range(%d, %d, 1, 2)",
        name, from, from + 60);
  }

  /** Makes a lock that a dead sync left look as old as it would be when the next one is due. */
  private static void expire(Path index) throws IOException {
    Path lock = index.resolve("xtable_index").resolve("lock");
    if (Files.exists(lock)) {
      Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(3))));
    }
  }

  private static Map<Path, String> contents(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .collect(Collectors.toMap(file -> file, SyncFixture::digest));
    }
  }

  private static void restore(Path backup, Path index) throws IOException {
    deleteAll(index);
    copy(backup, index);
  }

  private static void copy(Path from, Path to) throws IOException {
    if (!Files.exists(from)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.collect(Collectors.toList())) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
        }
      }
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).collect(Collectors.toList())) {
        Files.delete(path);
      }
    }
  }
}
