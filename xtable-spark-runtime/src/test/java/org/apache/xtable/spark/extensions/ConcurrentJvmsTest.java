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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.xtable.index.hudi.HudiSecondaryIndexes;
import org.apache.xtable.spark.OtherJvm;
import org.apache.xtable.spark.extensions.PruningDecision.NotUsed;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One JVM changes table and index, another queries: answers are always right (C24b). */
class ConcurrentJvmsTest {
  private static final String TABLE = "lake.db.c";
  private static final int ROUNDS = Integer.getInteger("xtable.test.rounds", 6);

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  @DisplayName("C24b: answers are right while another JVM appends, syncs, removes and rebuilds")
  void answersAreRightWhileAnotherJvmSyncs(@TempDir Path folder) throws Exception {
    try (Lake lake = Lake.stored(folder, conf -> new HudiSecondaryIndexes(conf))) {
      lake.createTable(TABLE);
      lake.store(TABLE, "k");
      Path output = folder.resolve("writer.log");
      int used = 0;
      int queries = 0;
      Map<NotUsedReason, Integer> reasons = new EnumMap<>(NotUsedReason.class);
      try (OtherJvm writer =
          OtherJvm.start(output, Writer.class, folder.toString(), Integer.toString(ROUNDS))) {
        while (writer.isAlive()) {
          for (String key : new String[] {"shared", "k11", "dup"}) {
            lake.sql("REFRESH TABLE " + TABLE);
            String sql = "SELECT id FROM lake.db.c WHERE k = '" + key + "'";
            List<String> before = lake.rowsWithoutIndex(sql);
            Dataset<Row> query = lake.sql(sql);
            List<String> rows = Lake.rows(query);
            PruningDecision decision = Lake.decision(query);
            lake.sql("REFRESH TABLE " + TABLE);
            List<String> after = lake.rowsWithoutIndex(sql);
            // Rows are only ever added.
            assertThat(rows)
                .as("%s, %s", sql, decision)
                .containsAll(before)
                .doesNotHaveDuplicates();
            assertThat(after).as("%s, %s", sql, decision).containsAll(rows);
            queries++;
            if (decision instanceof Used) {
              used++;
            } else {
              reasons.merge(((NotUsed) decision).reason(), 1, Integer::sum);
            }
          }
        }
        assertThat(writer.exitCode()).as(writer::output).isZero();
      }
      System.out.println(
          "ConcurrentJvmsTest: " + queries + " queries, index used " + used + ", not: " + reasons);
      assertThat(used).as("queries that used the index").isPositive();
      assertThat(reasons.keySet())
          .as("why others did not")
          .isSubsetOf(
              Set.of(NotUsedReason.STALE, NotUsedReason.NO_INDEX, NotUsedReason.INDEX_CHANGED));
      lake.sql("REFRESH TABLE " + TABLE);
      assertThat(
              new HashSet<>(lake.rowsWithoutIndex("SELECT id FROM lake.db.c WHERE k = 'shared'")))
          .as("rows that the other JVM added")
          .hasSize(ROUNDS / 2);
    }
  }

  /** What happens to table and index while a query looks its keys up. */
  enum Change {
    SYNC {
      @Override
      void make(Lake lake) throws Exception {
        lake.append(TABLE, 80, 90, 1);
        lake.store(TABLE, "k");
      }
    },
    REMOVAL {
      @Override
      void make(Lake lake) throws Exception {
        deleteIndex(lake.indexFolder(TABLE));
      }
    },
    REBUILD {
      @Override
      void make(Lake lake) throws Exception {
        deleteIndex(lake.indexFolder(TABLE));
        lake.store(TABLE, "k");
      }
    },
    REBUILD_OF_OTHER_COLUMN {
      @Override
      void make(Lake lake) throws Exception {
        deleteIndex(lake.indexFolder(TABLE));
        lake.store(TABLE, "n");
      }
    },
    ROLLBACK {
      @Override
      void make(Lake lake) {
        long first = lake.table(TABLE).history().get(0).snapshotId();
        lake.sql("CALL lake.system.rollback_to_snapshot('db.c', " + first + ")");
        lake.store(TABLE, "k");
      }
    },
    COMPACTION {
      @Override
      void make(Lake lake) {
        lake.sql("CALL lake.system.rewrite_data_files('db.c')");
        lake.store(TABLE, "k");
      }
    };

    abstract void make(Lake lake) throws Exception;
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  @DisplayName("C24b: an index that changes between the reads of a lookup is not used")
  void indexChangesDuringLookup(Change change, @TempDir Path folder) throws Exception {
    PruningDecision decision = decisionWith(change, "/secondary_index_k", folder);
    assertThat(decision).isInstanceOf(NotUsed.class);
    assertThat(((NotUsed) decision).reason())
        .as(decision.summary())
        .isEqualTo(NotUsedReason.INDEX_CHANGED);
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  @DisplayName("C24b: an index that changes while it is opened is not taken for a damaged one")
  void indexChangesWhileItIsOpened(Change change, @TempDir Path folder) throws Exception {
    assertThat(decisionWith(change, "/xtable_index/", folder).summary())
        .doesNotContain(NotUsedReason.UNREADABLE.name());
  }

  /**
   * About a query that gave the right rows although a change came before its first read of files.
   */
  private static PruningDecision decisionWith(Change change, String files, Path folder)
      throws Exception {
    StoredIndexes indexes = new StoredIndexes();
    try (Lake lake = Lake.stored(folder, indexes::open)) {
      lake.createTable(TABLE);
      lake.sql("INSERT INTO lake.db.c VALUES (1000, 1, 'k11', 0)");
      lake.store(TABLE, "k");
      String sql = "SELECT id FROM lake.db.c WHERE k = 'k11'";
      lake.assertPruned(sql, 2, 9);
      indexes.forgetAll();
      AtomicBoolean changed = new AtomicBoolean();
      indexes
          .watch()
          .beforeNext(
              path -> path.contains(files),
              () -> {
                try {
                  change.make(lake);
                  changed.set(true);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });

      Dataset<Row> query = lake.sql(sql);
      PruningDecision decision = Lake.decision(query);

      assertThat(changed).as("changed before " + files + " was read").isTrue();
      assertThat(Lake.rows(query)).as(decision.summary()).containsExactly("[1000]", "[11]");
      lake.sql("REFRESH TABLE " + TABLE);
      assertThat(Lake.rows(lake.sql(sql))).isEqualTo(lake.rowsWithoutIndex(sql));
      return decision;
    }
  }

  /** The other JVM: by turns it appends and syncs, and removes the index and builds it anew. */
  static final class Writer {
    public static void main(String[] args) throws Exception {
      try (Lake lake = Lake.stored(Path.of(args[0]), conf -> new HudiSecondaryIndexes(conf))) {
        for (int round = 0; round < Integer.parseInt(args[1]); round++) {
          if (round % 2 == 0) {
            lake.sql("INSERT INTO lake.db.c VALUES (" + (1000 + round) + ", 1, 'shared', 0)");
          } else if (round % 4 == 1) {
            deleteIndex(lake.indexFolder(TABLE));
          }
          lake.store(TABLE, "k");
        }
      }
    }
  }

  /** Removes an index as the docs say: its timeline first, oldest instants first. */
  private static void deleteIndex(Path folder) throws Exception {
    for (Path instant : sorted(folder.resolve("timeline"), Comparator.naturalOrder())) {
      if (Files.isRegularFile(instant)) {
        Files.delete(instant);
      }
    }
    for (Path path : sorted(folder, Comparator.reverseOrder())) {
      Files.delete(path);
    }
  }

  private static List<Path> sorted(Path folder, Comparator<Path> order) throws Exception {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.sorted(order).collect(Collectors.toList());
    }
  }
}
