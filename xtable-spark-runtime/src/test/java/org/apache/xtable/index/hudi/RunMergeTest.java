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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericRecord;
import org.apache.hudi.avro.HoodieAvroUtils;
import org.apache.hudi.avro.model.HoodieMetadataRecord;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.data.HoodieListData;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.model.CompactionOperation;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.metadata.FileGroupMerge;
import org.apache.hudi.metadata.HoodieBackedTableMetadata;
import org.apache.hudi.metadata.HoodieMetadataPayload;
import org.apache.hudi.metadata.SecondaryIndexMetadataWriter;
import org.apache.hudi.storage.StoragePath;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.KeyEncoding;
import org.apache.xtable.index.KeyType;
import org.apache.xtable.index.SyncedState;
import org.apache.xtable.spark.extensions.LogCapture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a compaction makes of the runs of the index, held against what Hudi's own reader finds
 * before and after. {@code xtable.test.seed} replays a run.
 */
class RunMergeTest {
  private static final String COMPACTOR = "org.apache.hudi.metadata.MergingCompactor";
  private static final int FILE_GROUPS = 4;

  /** Has no entries in the build. */
  private static final int WITHOUT_BASE = 1;

  /** Never has entries. */
  private static final int EMPTY = 2;

  /** Hudi compacts after ten commits to the metadata table; a build makes three. */
  private static final int SYNCS_UNTIL_DUE = 7;

  private static final IndexedColumn COLUMN = new IndexedColumn("k", 2, KeyType.STRING);
  private static SparkSession spark;

  private final long seed = Long.getLong("xtable.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** The entries of each file group, as the bytes of their keys. */
  private final Map<Integer, TreeSet<byte[]>> entries = new TreeMap<>();

  private final TreeSet<String> values = new TreeSet<>();
  private int position;

  @BeforeAll
  static void start(@TempDir Path folder) {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("xtable-index-merge-test")
            .config("spark.ui.enabled", false)
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar")
            .config("spark.sql.warehouse.dir", folder.resolve("spark-warehouse").toString())
            .getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  @DisplayName("C11: a compaction writes each entry of all runs once, as a build would write them")
  void compactionIsExact(@TempDir Path data) throws IOException {
    System.out.println("compactionIsExact: replay with -Dxtable.test.seed=" + seed);
    IndexTable table = table(data);
    buildAndUpdate(table);
    assertThat(table.manifest(table.lastSync().orElseThrow()).runs())
        .as("runs before")
        .hasSizeGreaterThan(2 * SYNCS_UNTIL_DUE);
    List<String> before = stock(table);
    assertThat(before).hasSize(entries.values().stream().mapToInt(Collection::size).sum());
    try (LogCapture log = new LogCapture(COMPACTOR)) {
      update(table, Map.of());
      assertThat(log.events()).as("file groups that Hudi had to compact").isEmpty();
    }
    assertCompacted(table, before);
  }

  @Test
  @DisplayName(
      "C13: of a compaction that was cut short nothing counts; the next sync does it again")
  void cutShortCompactionIsDoneAgain(@TempDir Path data) throws IOException {
    System.out.println("cutShortCompactionIsDoneAgain: replay with -Dxtable.test.seed=" + seed);
    IndexTable table = table(data);
    buildAndUpdate(table);
    List<String> before = stock(table);
    IndexManifest manifest = table.manifest(table.lastSync().orElseThrow());
    Path folder = folder(table, manifest);
    List<Path> base = baseFiles(folder);
    try (HudiIndexWriter writer = writer(table);
        SecondaryIndexMetadataWriter metadata = writer.open(table.open().orElseThrow())) {
      metadata.runTableServices(
          new DeadlyMerge(
              new RunMerge(
                  table.storageConf(), table.partitionFolder(manifest.partition()), manifest)));
    }
    List<Path> left = baseFiles(folder);
    left.removeAll(base);
    assertThat(left).as("files that the compaction has left").isNotEmpty();
    assertThat(stock(table)).as("seed %d", seed).isEqualTo(before);
    update(table, Map.of());
    assertThat(baseFiles(folder)).doesNotContainAnyElementsOf(left);
    assertCompacted(table, before);
  }

  private static List<Path> baseFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".hfile"))
          .collect(Collectors.toCollection(ArrayList::new));
    }
  }

  private void assertCompacted(IndexTable table, List<String> before) throws IOException {
    assertThat(stock(table)).as("seed %d", seed).isEqualTo(before);
    IndexManifest after = table.manifest(table.lastSync().orElseThrow());
    for (EntryRun run : after.runs()) {
      if (!entries.containsKey(run.fileGroup())) {
        assertThat(run.fileGroup()).isEqualTo(EMPTY);
        continue;
      }
      byte[] file = Files.readAllBytes(folder(table, after).resolve(run.fileName()));
      byte[] built = hfile(entries.get(run.fileGroup()), EntryValue.bytes());
      int blocks = Math.toIntExact(HFileSection.trailer(built).getLoadOnOpenDataOffset());
      assertThat(HFileSection.trailer(built).getDataIndexCount()).isGreaterThan(10);
      assertThat(Arrays.copyOf(file, blocks))
          .as("%s, seed %d", run, seed)
          .isEqualTo(Arrays.copyOf(built, blocks));
    }
    assertThat(after.runs().stream().map(EntryRun::fileGroup))
        .as("one run a file group")
        .doesNotHaveDuplicates()
        .containsAll(entries.keySet());
  }

  @Test
  @DisplayName("A file group with entries that are not ours, such as deleted ones, is left to Hudi")
  void deletedEntriesAreLeftToHudi(@TempDir Path data) throws IOException {
    System.out.println("deletedEntriesAreLeftToHudi: replay with -Dxtable.test.seed=" + seed);
    IndexTable table = table(data);
    buildAndUpdate(table);
    String last = table.lastSync().orElseThrow();
    IndexManifest manifest = table.manifest(last);
    EntryRun base =
        manifest.runs().stream()
            .filter(run -> run.fileName().endsWith(".hfile"))
            .findFirst()
            .orElseThrow();
    Path file = folder(table, manifest).resolve(base.fileName());
    byte[] deleted = hfile(entries.get(base.fileGroup()), deletedValue());
    Files.deleteIfExists(file.resolveSibling("." + base.fileName() + ".crc"));
    Files.write(file, deleted);
    List<EntryRun> runs = new ArrayList<>(manifest.runs());
    runs.set(
        runs.indexOf(base), new EntryRun(base.fileGroup(), base.fileName(), 0, deleted.length));
    table.writeManifest(last, manifest.next(manifest.state(), runs));
    try (LogCapture log = new LogCapture(COMPACTOR)) {
      update(table, Map.of());
      assertThat(log.events())
          .singleElement()
          .satisfies(
              event -> {
                assertThat(event.getMessage().getFormattedMessage()).contains("Hudi compacts it");
                assertThat(event.getThrown()).hasMessageContaining("deleted or of another form");
              });
    }
    assertThat(table.manifest(table.lastSync().orElseThrow()).runs())
        .as("runs after")
        .hasSizeLessThanOrEqualTo(FILE_GROUPS);
  }

  private void buildAndUpdate(IndexTable table) throws IOException {
    Map<Integer, TreeSet<byte[]>> built = newEntries("p=1/built.parquet", 20_000);
    built.remove(WITHOUT_BASE);
    remember(built);
    try (HudiIndexWriter writer = writer(table)) {
      writer.lock();
      writer.build(
          "merged",
          new Schema(
              Types.NestedField.optional(1, "id", Types.LongType.get()),
              Types.NestedField.optional(2, "k", Types.StringType.get())),
          COLUMN,
          List.of(new RegisteredFile("p=1/built.parquet", 1000, 20_000)),
          sink -> write(sink, built),
          RunMergeTest::state);
    }
    // Names that Java and UTF-8 sort in different order, and entries that earlier runs have.
    List<String> names = List.of("\uFF21", "\uD83D\uDE00", "a", "\uE000");
    for (int sync = 0; sync < SYNCS_UNTIL_DUE; sync++) {
      Map<Integer, TreeSet<byte[]>> added =
          newEntries(names.get(sync % names.size()) + sync + ".parquet", 1000);
      entries.forEach(
          (group, known) ->
              known.stream()
                  .filter(key -> random.nextInt(50) == 0)
                  .forEach(added.computeIfAbsent(group, ignored -> keys())::add));
      remember(added);
      update(table, added);
    }
  }

  /** Entries of random values, some of which other files have too. */
  private Map<Integer, TreeSet<byte[]>> newEntries(String file, int count) {
    EntryKeys maker = new EntryKeys(FILE_GROUPS);
    maker.enterFile(file);
    Map<Integer, TreeSet<byte[]>> made = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      String value = "v" + random.nextInt(30_000);
      maker.make(value, position++);
      if (maker.fileGroup() != EMPTY) {
        made.computeIfAbsent(maker.fileGroup(), ignored -> keys()).add(maker.key());
        values.add(value);
      }
    }
    return made;
  }

  private void remember(Map<Integer, TreeSet<byte[]>> added) {
    added.forEach((group, keys) -> entries.computeIfAbsent(group, ignored -> keys()).addAll(keys));
  }

  private static TreeSet<byte[]> keys() {
    return new TreeSet<>(Arrays::compareUnsigned);
  }

  private static List<WrittenFile> write(EntrySink sink, Map<Integer, TreeSet<byte[]>> added) {
    List<WrittenFile> files = new ArrayList<>();
    added.forEach(
        (group, keys) -> {
          try {
            files.add(sink.write(group, keys.iterator(), group + "-0-1"));
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    return files;
  }

  private void update(IndexTable table, Map<Integer, TreeSet<byte[]>> added) {
    try (HudiIndexWriter writer = writer(table)) {
      writer.lock();
      writer.update(
          List.of(new RegisteredFile("added" + position + ".parquet", 1000, 1000)),
          List.of(),
          sink -> write(sink, added),
          RunMergeTest::state);
    }
  }

  private static HudiIndexWriter writer(IndexTable table) {
    return new HudiIndexWriter(
        JavaSparkContext.fromSparkContext(spark.sparkContext()),
        spark.sparkContext().hadoopConfiguration(),
        table.dataPath(),
        new HudiIndexOptions(FILE_GROUPS, FILE_GROUPS));
  }

  private static IndexTable table(Path data) {
    return new IndexTable(
        new DataPath(data.toUri().toString()), spark.sparkContext().hadoopConfiguration());
  }

  private static SyncedState state(long written) {
    return new SyncedState("uuid", 1, 0, COLUMN, written, written, 1, written);
  }

  private static Path folder(IndexTable table, IndexManifest manifest) {
    return Path.of(table.partitionFolder(manifest.partition()).toUri().getPath());
  }

  /** The record keys that Hudi's reader finds for all values; each entry has one of its own. */
  private List<String> stock(IndexTable table) {
    try (HoodieBackedTableMetadata metadata =
        new HoodieBackedTableMetadata(
            new HoodieLocalEngineContext(table.storageConf()),
            table.storage(),
            HoodieMetadataConfig.newBuilder().enable(true).build(),
            table.dataPath().location())) {
      Stream<String> encoded = values.stream().map(KeyEncoding::encode);
      return metadata
          .readSecondaryIndexDataTableRecordKeysV2(
              HoodieListData.eager(encoded.collect(Collectors.toList())),
              IndexTable.indexPartition(COLUMN))
          .collectAsList()
          .stream()
          .sorted()
          .collect(Collectors.toList());
    }
  }

  private static byte[] hfile(Collection<byte[]> keys, byte[] value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (HFileEntryWriter writer = new HFileEntryWriter(out, value)) {
      for (byte[] key : keys) {
        writer.append(key);
      }
    }
    return out.toByteArray();
  }

  private static byte[] deletedValue() throws IOException {
    GenericRecord record =
        HoodieAvroUtils.bytesToAvro(EntryValue.bytes(), HoodieMetadataRecord.getClassSchema());
    GenericRecord info =
        (GenericRecord) record.get(HoodieMetadataPayload.SCHEMA_FIELD_ID_SECONDARY_INDEX);
    info.put(HoodieMetadataPayload.SECONDARY_INDEX_FIELD_IS_DELETED, true);
    return HoodieAvroUtils.avroToBytes(record);
  }

  /** Ends the compaction when it has written a file, as if the process was killed. */
  private static final class DeadlyMerge implements FileGroupMerge {
    private static final long serialVersionUID = 1L;

    private final FileGroupMerge merge;

    DeadlyMerge(FileGroupMerge merge) {
      this.merge = merge;
    }

    @Override
    public boolean canMerge(CompactionOperation operation) throws IOException {
      return merge.canMerge(operation);
    }

    @Override
    public HoodieWriteStat merge(CompactionOperation operation, StoragePath baseFile)
        throws IOException {
      merge.merge(operation, baseFile);
      throw new AssertionError("The process is dead");
    }
  }
}
