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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.logging.log4j.Level;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.KeyLocations;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.hudi.HudiSecondaryIndexes;
import org.apache.xtable.spark.extensions.PruningDecision.NotUsed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to a stored index, answers stay right and one WARN tells (C24g). */
class DamagedIndexTest {
  private static final String TABLE = "lake.db.t";
  private static final String QUERY = "SELECT * FROM lake.db.t WHERE k = 'k11'";
  private static final int FILES = 10;
  private static final long SEED = Long.getLong("xtable.test.seed", System.nanoTime());

  private static final StoredIndexes INDEXES = new StoredIndexes();
  private static Lake lake;
  private static String dataPath;
  private static Path folder;
  private static Path intact;
  private static List<String> keys;
  private static Map<String, Set<Long>> truth;
  private static long syncedSnapshot;

  @BeforeAll
  static void start(@TempDir Path root) throws Exception {
    lake = Lake.stored(root, INDEXES::open);
    lake.createTable(TABLE);
    lake.store(TABLE, "k");
    lake.append(TABLE, 80, 100, 2);
    lake.store(TABLE, "k"); // so that there are base files and log files
    Lake.rows(lake.sql(QUERY));
    dataPath = lake.dataPath(TABLE);
    folder = lake.indexFolder(TABLE);
    deleteChecksums(folder);
    intact = root.resolve("intact");
    copy(folder, intact);
    keys =
        Stream.concat(IntStream.range(0, 120).mapToObj(i -> "k" + i), Stream.of("dup", "", "none"))
            .collect(Collectors.toList());
    SecondaryIndex index = cold().find(dataPath).orElseThrow();
    syncedSnapshot = index.state().snapshotId();
    truth = locations(index.lookup(keys));
    assertThat(truth).hasSize(FILES);
  }

  @AfterAll
  static void stop() {
    lake.close();
  }

  @BeforeEach
  void restore() throws Exception {
    restoreIntact();
    INDEXES.watch().refuse(path -> false);
    INDEXES.forgetAll();
    lake.assertPruned(QUERY, 1, FILES);
    INDEXES.forgetAll();
  }

  @Test
  @DisplayName("C24g: any one file deleted, cut or emptied: a right answer or none")
  void everyFileDeletedOrCut() throws Exception {
    int refused = 0;
    for (Path file : files(intact)) {
      Path damaged = folder.resolve(intact.relativize(file));
      byte[] bytes = Files.readAllBytes(file);
      Files.delete(damaged);
      refused += assertRightOrRefused("deleted " + damaged) ? 1 : 0;
      for (int length : new int[] {0, bytes.length / 2, Math.max(0, bytes.length - 1)}) {
        Files.write(damaged, java.util.Arrays.copyOf(bytes, length));
        refused += assertRightOrRefused("cut " + damaged + " to " + length) ? 1 : 0;
      }
      Files.write(damaged, bytes);
    }
    assertThat(refused).as("damages that were noticed").isGreaterThan(5);
  }

  @Test
  @DisplayName("C24g: any bit of the index flipped: a right answer or none")
  void bitFlips() throws Exception {
    Random random = new Random(SEED);
    int refused = 0;
    List<Path> read =
        files(intact).stream()
            .filter(file -> file.toString().matches(".*(secondary_index_k/|xtable_index/).*"))
            .collect(Collectors.toList());
    assertThat(read).as("files that hold the index").hasSizeGreaterThan(3);
    for (Path file : read) {
      Path damaged = folder.resolve(intact.relativize(file));
      byte[] bytes = Files.readAllBytes(file);
      for (int i = 0; i < 250; i++) {
        byte[] flipped = bytes.clone();
        // Half of them at the end, where the trailer and the block index are.
        int at =
            i % 2 == 0
                ? random.nextInt(bytes.length)
                : bytes.length - 1 - random.nextInt(Math.min(bytes.length, 600));
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(damaged, flipped);
        refused += assertRightOrRefused("seed " + SEED + ", byte " + at + " of " + damaged) ? 1 : 0;
      }
      Files.write(damaged, bytes);
    }
    assertThat(refused).as("damages that were noticed").isGreaterThan(200);
  }

  @Test
  @DisplayName("C24g: runs of bytes overwritten: a right answer or none")
  void overwrittenRanges() throws Exception {
    Random random = new Random(SEED);
    for (Path file : files(intact)) {
      Path damaged = folder.resolve(intact.relativize(file));
      byte[] bytes = Files.readAllBytes(file);
      for (int i = 0; i < 20 && bytes.length > 0; i++) {
        byte[] overwritten = bytes.clone();
        int at = random.nextInt(bytes.length);
        byte[] noise = new byte[Math.min(bytes.length - at, 1 + random.nextInt(64))];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, overwritten, at, noise.length);
        Files.write(damaged, overwritten);
        assertRightOrRefused("seed " + SEED + ", noise at " + at + " of " + damaged);
      }
      Files.write(damaged, bytes);
    }
  }

  @Test
  @DisplayName("C24g: a folder that was copied in part: a right answer or none")
  void halfCopiedFolder() throws Exception {
    Random random = new Random(SEED);
    for (int i = 0; i < 40; i++) {
      deleteFolder(folder);
      for (Path file : files(intact)) {
        if (random.nextBoolean()) {
          Path copy = folder.resolve(intact.relativize(file));
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy);
        }
      }
      assertRightOrRefused("seed " + SEED + ", copy " + i);
    }
  }

  @Test
  @DisplayName("C24g: queries of a damaged index are right, with one WARN and no retry storm")
  void damagedIndexWarnsOnceAndIsNotReadAgain() throws Exception {
    for (Path file : files(folder.resolve("metadata/secondary_index_k"))) {
      Files.write(file, new byte[10]);
    }
    try (LogCapture log = new LogCapture()) {
      NotUsed decision = lake.assertNotPruned(QUERY, NotUsedReason.UNREADABLE, FILES);
      assertThat(decision.summary()).contains("secondary_index_k");
      INDEXES.watch().takeRequests();

      for (int i = 0; i < 5; i++) {
        lake.assertNotPruned(
            "SELECT * FROM lake.db.t WHERE k = 'k" + i + "'", NotUsedReason.UNREADABLE, FILES);
      }

      assertThat(INDEXES.watch().takeRequests())
          .as("requests of five queries")
          .hasSizeLessThanOrEqualTo(5)
          .allMatch(request -> request.contains("timeline"));
      assertThat(warnings(log)).singleElement().asString().contains("UNREADABLE");
    }
  }

  @Test
  @DisplayName("C24g: once mended, a damaged index is used again within a minute")
  void mendedIndexIsUsedAgain() throws Exception {
    damageEntries();
    lake.assertNotPruned(QUERY, NotUsedReason.UNREADABLE, FILES);
    restoreIntact();

    lake.assertNotPruned(QUERY, NotUsedReason.UNREADABLE, FILES);
    INDEXES.passSeconds(60);
    lake.assertPruned(QUERY, 1, FILES);
  }

  @Test
  @DisplayName("C24g: no permission on the index, or a part of it: a WARN names it")
  void noPermission() {
    for (String part : new String[] {"/.hoodie/", "/xtable_index/", "/secondary_index_k/"}) {
      INDEXES.forgetAll();
      INDEXES.watch().refuse(path -> (path + "/").contains(part));
      NotUsed decision = lake.assertNotPruned(QUERY, NotUsedReason.UNREADABLE, FILES);
      assertThat(decision.summary()).as(part).contains("Permission denied");
      assertThat(decision.cause()).as(part).isPresent();
    }
  }

  @Test
  @DisplayName("C24g: a manifest of a newer form is not read, and the message says what to do")
  void newerManifest() throws Exception {
    for (Path manifest : files(folder.resolve("xtable_index"))) {
      String text = Files.readString(manifest);
      String body =
          text.substring(0, text.lastIndexOf("crc32 "))
              .replaceFirst("manifest 1\n", "manifest 2\n");
      CRC32 crc = new CRC32();
      crc.update(body.getBytes(StandardCharsets.UTF_8));
      Files.writeString(manifest, body + "crc32 " + Long.toHexString(crc.getValue()) + "\n");
    }
    NotUsed decision = lake.assertNotPruned(QUERY, NotUsedReason.UNREADABLE, FILES);
    assertThat(decision.summary())
        .contains("xtable-index-manifest 2", "use the version that wrote it");
  }

  @Test
  @DisplayName("C24g: the index of another table, copied in, is not used")
  void indexOfAnotherTable() throws Exception {
    lake.createTable("lake.db.other");
    lake.store("lake.db.other", "k");
    deleteFolder(folder);
    copy(lake.indexFolder("lake.db.other"), folder);

    lake.assertNotPruned(QUERY, NotUsedReason.OTHER_TABLE, FILES);
    lake.sql("DROP TABLE lake.db.other");
  }

  @Test
  @DisplayName("C24g: an index of another column of the table, copied in, is used for that column")
  void indexOfAnotherColumn() throws Exception {
    deleteFolder(folder);
    lake.store(TABLE, "n");
    INDEXES.forgetAll();

    lake.assertNotPruned(QUERY, NotUsedReason.OTHER_COLUMN, FILES);
    lake.assertPruned("SELECT * FROM lake.db.t WHERE n = 11", 1, FILES);
  }

  @Test
  @DisplayName("C24a: a stale index warns once for its state, not for each query")
  void staleIndexWarnsOnce() throws Exception {
    lake.createTable("lake.db.s");
    lake.store("lake.db.s", "k");
    lake.append("lake.db.s", 200, 201, 1);
    String query = "SELECT * FROM lake.db.s WHERE k = 'k11'";
    try (LogCapture log = new LogCapture()) {
      for (int i = 0; i < 3; i++) {
        lake.assertNotPruned(query, NotUsedReason.STALE, 9);
      }
      assertThat(warnings(log)).hasSize(1);
      lake.append("lake.db.s", 201, 202, 1);
      lake.assertNotPruned(query, NotUsedReason.STALE, 10);
      assertThat(warnings(log)).as("a new state").hasSize(2);
    }
    lake.sql("DROP TABLE lake.db.s");
  }

  private static List<String> warnings(LogCapture log) {
    return log.events().stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(event -> event.getMessage().getFormattedMessage())
        .collect(Collectors.toList());
  }

  /** Damages each file that holds entries, all but its beginning and end. */
  private static void damageEntries() throws IOException {
    for (Path file : files(folder.resolve("metadata/secondary_index_k"))) {
      byte[] bytes = Files.readAllBytes(file);
      for (int i = bytes.length / 16; i < bytes.length / 2; i++) {
        bytes[i] ^= 0x55;
      }
      Files.write(file, bytes);
    }
  }

  /**
   * A cold reader either gives the right locations of all keys, or an older state, or refuses.
   *
   * @return whether it refused
   */
  private static boolean assertRightOrRefused(String damage) {
    try (HudiSecondaryIndexes indexes = cold()) {
      SecondaryIndex index = indexes.find(dataPath).orElse(null);
      if (index != null && index.state().snapshotId() == syncedSnapshot) {
        assertThat(locations(index.lookup(keys))).as(damage).isEqualTo(truth);
      }
      return false;
    } catch (IndexException e) {
      return true;
    }
  }

  private static HudiSecondaryIndexes cold() {
    Configuration conf = new WatchedFileSystem.Watch().on(new Configuration());
    return new HudiSecondaryIndexes(conf);
  }

  private static Map<String, Set<Long>> locations(KeyLocations found) {
    Map<String, Set<Long>> locations = new TreeMap<>();
    for (String file : found.files()) {
      Set<Long> positions = new TreeSet<>();
      for (long position : found.positions(file)) {
        positions.add(position);
      }
      locations.put(file, positions);
    }
    return locations;
  }

  private static void restoreIntact() throws IOException {
    deleteFolder(folder);
    copy(intact, folder);
  }

  private static void deleteChecksums(Path root) throws IOException {
    for (Path file : files(root)) {
      if (file.getFileName().toString().endsWith(".crc")) {
        Files.delete(file);
      }
    }
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path copy = to.resolve(from.relativize(file));
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void deleteFolder(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
