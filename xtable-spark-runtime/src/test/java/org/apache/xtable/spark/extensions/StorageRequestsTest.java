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

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.xtable.spark.extensions.PruningDecision.NotUsed;
import org.apache.xtable.spark.extensions.PruningDecision.Used;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the index asks of storage (C28). The table in docs/architecture.md is from here. */
class StorageRequestsTest {
  private static final String TABLE = "lake.db.t";
  private static final String QUERY = "SELECT * FROM lake.db.t WHERE k = 'k11'";

  private static final int PLANNINGS = 60;

  private final StoredIndexes indexes = new StoredIndexes();
  private Lake lake;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    lake = Lake.stored(folder, indexes::open);
    lake.createTable(TABLE);
  }

  @AfterEach
  void stop() {
    lake.close();
  }

  @Test
  @DisplayName("C28: a query that is not eligible asks nothing, with index or without")
  void queriesThatAreNotEligibleAskNothing() {
    lake.store(TABLE, "k");
    for (String sql :
        new String[] {
          "SELECT * FROM lake.db.t",
          "SELECT * FROM lake.db.t WHERE k > 'k1'",
          "SELECT * FROM lake.db.t WHERE upper(k) = 'K1'",
          "SELECT count(*) FROM lake.db.t",
          "SELECT * FROM lake.db.t.files"
        }) {
      assertThat(requestsOf(sql)).as(sql).isEmpty();
    }
    lake.set(PruningSettings.ENABLED_KEY, false);
    assertThat(requestsOf(QUERY)).as("turned off").isEmpty();
    lake.set(PruningSettings.ENABLED_KEY, true);
    assertThat(requestsOf(QUERY)).as("eligible").isNotEmpty();
  }

  @Test
  @DisplayName("C28: on a table without index a query asks once at most, a hundred ask rarely")
  void tablesWithoutIndexAreAskedRarely() {
    assertThat(requestsOf(QUERY)).as("the first query").hasSize(1);
    int requests = 0;
    for (int query = 0; query < 100; query++) {
      indexes.passSeconds(1);
      List<String> asked = requestsOf(QUERY);
      assertThat(asked).hasSizeLessThanOrEqualTo(1);
      requests += asked.size();
    }
    System.out.println("StorageRequestsTest: 100 queries without index asked " + requests);
    assertThat(requests).as("requests of 100 queries in 100 s").isLessThanOrEqualTo(9);
  }

  @Test
  @DisplayName("C28: a new index of a table that was queried once is found at once")
  void newIndexIsFoundAtOnce() {
    assertThat(reason()).isEqualTo(NotUsedReason.NO_INDEX);
    lake.store(TABLE, "k");
    lake.assertPruned(QUERY, 1, 8);
  }

  @Test
  @DisplayName("C28: a new index of a table that was queried for long is found within a minute")
  void newIndexIsFoundWithinAMinute() {
    reason();
    for (int query = 0; query < 3; query++) {
      indexes.passSeconds(100);
      assertThat(reason()).isEqualTo(NotUsedReason.NO_INDEX);
    }
    lake.store(TABLE, "k");
    indexes.passSeconds(59);
    assertThat(reason()).as("remembered").isEqualTo(NotUsedReason.NO_INDEX);
    indexes.passSeconds(1);
    lake.assertPruned(QUERY, 1, 8);
  }

  @Test
  @DisplayName("C28: a lookup asks little, and a warm one next to nothing")
  void lookupsAskLittle() throws Exception {
    lake.store(TABLE, "k");
    Lake.rows(lake.sql(QUERY));
    report("cold, 1 run", coldRequests(), 12);
    report("warm, same key", warmRequests(QUERY), 2);
    report("warm, other key", warmRequests("SELECT * FROM lake.db.t WHERE k = 'k70'"), 3);
    report("warm, 3 keys", warmRequests("SELECT * FROM lake.db.t WHERE k IN ('k1', 'k2', 'x')"), 3);
    for (int sync = 0; sync < 3; sync++) {
      lake.append(TABLE, 80 + sync, 81 + sync, 1);
      lake.store(TABLE, "k");
    }
    Lake.rows(lake.sql(QUERY));
    report("cold, 4 runs", coldRequests(), 12);
    report("warm, 4 runs", warmRequests(QUERY), 2);
  }

  @Test
  @DisplayName("C24a, C24d, C28: an index that is not used for a small or stale scan is not read")
  void obstaclesAskOnce() throws Exception {
    lake.store(TABLE, "k");
    Lake.rows(lake.sql(QUERY));
    lake.set(PruningSettings.MIN_CANDIDATE_FILES_KEY, 100);
    report("small scan", requestsOf(QUERY), 1);
    lake.set(PruningSettings.MIN_CANDIDATE_FILES_KEY, 1);
    lake.append(TABLE, 80, 81, 1);
    report("stale", requestsOf(QUERY), 1);
  }

  @Test
  @DisplayName("C28: planning takes hardly longer where no index can help")
  void planningTakesHardlyLonger() {
    for (String sql : new String[] {"SELECT * FROM lake.db.t WHERE id > 3", QUERY}) {
      long[] on = new long[PLANNINGS];
      long[] off = new long[PLANNINGS];
      for (int i = 0; i < PLANNINGS; i++) { // by turns, so that both meet the same machine
        off[i] = planningMicros(sql, false);
        on[i] = planningMicros(sql, true);
      }
      Arrays.sort(on);
      Arrays.sort(off);
      long medianOn = on[PLANNINGS / 2];
      long medianOff = off[PLANNINGS / 2];
      System.out.println(
          "StorageRequestsTest: planned in "
              + medianOn
              + " us, without us "
              + medianOff
              + ": "
              + sql);
      assertThat(medianOn).as(sql).isLessThan(2 * medianOff + 5_000);
    }
  }

  private long planningMicros(String sql, boolean enabled) {
    lake.set(PruningSettings.ENABLED_KEY, enabled);
    indexes.passSeconds(1);
    long start = System.nanoTime();
    lake.sql(sql).queryExecution().executedPlan();
    return (System.nanoTime() - start) / 1000;
  }

  private List<String> coldRequests() {
    indexes.forgetAll();
    List<String> requests = requestsOf(QUERY);
    assertThat(Lake.decision(lake.sql(QUERY))).isInstanceOf(Used.class);
    return requests;
  }

  private List<String> warmRequests(String sql) {
    Dataset<Row> query = lake.sql(sql);
    indexes.watch().takeRequests();
    assertThat(Lake.decision(query)).as(sql).isInstanceOf(Used.class);
    return indexes.watch().takeRequests();
  }

  private static void report(String what, List<String> requests, int atMost) {
    System.out.println("StorageRequestsTest: " + what + ": " + requests.size() + " " + requests);
    assertThat(requests).as(what).hasSizeLessThanOrEqualTo(atMost);
  }

  private List<String> requestsOf(String sql) {
    indexes.watch().takeRequests();
    Lake.rows(lake.sql(sql));
    return indexes.watch().takeRequests();
  }

  private NotUsedReason reason() {
    return ((NotUsed) Lake.decision(lake.sql(QUERY))).reason();
  }
}
