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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which filters an index answers (C22), with the same rows as without it (C23). */
class QueryShapesTest {
  private static final int ALL = 8;

  private static Lake lake;

  @BeforeAll
  static void createTables(@TempDir Path folder) throws Exception {
    lake = new Lake(folder);
    for (String column : new String[] {"k", "n", "id"}) {
      lake.createTable("lake.db." + column);
      lake.sync("lake.db." + column, column);
    }
  }

  @AfterAll
  static void stop() {
    lake.close();
  }

  @ParameterizedTest(name = "{0} index, WHERE {1}: {2} of 8 files")
  @DisplayName("C22: filters that ask for values of the indexed column")
  @CsvSource(
      delimiter = '|',
      value = {
        "k  | k = 'k11'                                     | 1",
        "k  | 'k11' = k                                     | 1",
        "k  | K = 'k11'                                     | 1",
        "k  | k = 'dup'                                     | 2",
        "k  | k = 'nowhere'                                 | 0",
        "k  | k = ''                                        | 0",
        "k  | k <=> 'k11'                                   | 1",
        "k  | NOT k <> 'k11'                                | 1",
        "k  | NOT (k <> 'k11' AND k <> 'k22')               | 2",
        "k  | k IN ('k11')                                  | 1",
        "k  | k IN ('k11', 'k12', 'k33', 'k33')             | 2",
        "k  | k IN ('k11', NULL)                            | 1",
        "k  | k IN ('k11', 'nowhere')                       | 1",
        "k  | k = 'k11' OR k = 'k55'                        | 2",
        "k  | k = 'k11' OR k IN ('k55', 'k66')              | 3",
        "k  | k = 'k11' AND n = 11                          | 1",
        "k  | k = 'k11' AND n > 50                          | 1",
        "k  | k IN ('k11', 'k22') AND k IN ('k22', 'k33')   | 1",
        "k  | k IN ('k11', 'k22') AND k <> 'k11'            | 2",
        "k  | k = 'k11' AND rand() >= 0                     | 1",
        "k  | k = 'k11' AND (p = 1 OR n < 3)                | 1",
        "k  | (k = 'k11' AND n = 11) OR (k = 'k55' AND p=1) | 2",
        "k  | k = 'k11' AND substring(k, 1, 1) = 'k'        | 1",
        "k  | k = concat('k', '11')                         | 1",
        "k  | k IN ('k11', concat('k', '22'))               | 2",
        "k  | (k='k11' OR k='k22') AND (k='k22' OR k='k33') | 1",
        "k  | (k='k11' OR k='k22') AND (p = 1 OR n = 22)    | 2",
        "k  | `k` = 'k11'                                   | 1",
        "k  | lake.db.k.`k` = 'k11'                         | 1",
        "k  | k = CAST('k11' AS CHAR(3))                    | 1",
        "n  | n = 11                                        | 1",
        "n  | 11 = n                                        | 1",
        "n  | n = 11L                                       | 1",
        "n  | n = CAST(11 AS SMALLINT)                      | 1",
        "n  | n = '11'                                      | 1",
        "n  | n = 11.0                                      | 1",
        "n  | n = 11D                                       | 1",
        "n  | n = -1                                        | 0",
        "n  | n IN (11, 12, 55L)                            | 2",
        "n  | n IN (11, 3000000000)                         | 1",
        "n  | n = 5 + 6                                     | 1",
        "id | id = 11                                       | 1",
        "id | id = 11L                                      | 1",
        "id | id = '11'                                     | 1",
        "id | id = 11.0                                     | 1",
        "id | id = 9223372036854775807                      | 0",
        "id | id IN (11, 22, 33)                            | 3",
        "id | id = CAST('11' AS INT)                        | 1",
      })
  void areAnswered(String column, String filter, int files) {
    lake.assertPruned("SELECT * FROM lake.db." + column + " WHERE " + filter, files, ALL);
  }

  @ParameterizedTest(name = "{0} index, WHERE {1}")
  @DisplayName("C23: filters that other rows pass too leave the scan alone")
  @CsvSource(
      delimiter = '|',
      value = {
        "k  | k = 'k11' OR n = 55           | NO_KEYS",
        "k  | k = 'k11' OR k IS NULL        | NO_KEYS",
        "k  | k > 'k5'                      | NO_KEYS",
        "k  | k LIKE 'k1%'                  | NO_KEYS",
        "k  | k <> 'k11'                    | NO_KEYS",
        "k  | k NOT IN ('k11', 'k12')       | NO_KEYS",
        "k  | k IS NULL                     | NO_KEYS",
        "k  | k <=> NULL                    | NO_KEYS",
        "k  | n = 11                        | OTHER_COLUMN",
        "k  | n = 11 AND k > 'k1'           | OTHER_COLUMN",
        "k  | n = 11 AND (k = 'k11' OR p=2) | OTHER_COLUMN",
        "n  | n > 11 AND n < 13             | NO_KEYS",
      })
  void areNotAnswered(String column, String filter, NotUsedReason reason) {
    lake.assertNotPruned("SELECT * FROM lake.db." + column + " WHERE " + filter, reason, ALL);
  }

  @ParameterizedTest(name = "WHERE {0}")
  @DisplayName("C23: filters that Spark does not push, or folds, give the same rows")
  @CsvSource(
      delimiter = '|',
      value = {
        "k  | upper(k) = 'K11'",
        "k  | k = 11",
        "k  | trim(k) = 'k11'",
        "k  | k = 'k11' AND k = 'k12'",
        "k  | k IN (NULL)",
        "k  | k = NULL",
        "n  | n = 3000000000",
        "n  | n = 11.5",
        "n  | n + 1 = 12",
        "id | id = 11.5",
        "id | CAST(id AS STRING) = '11'",
        "n  | n IN ('11', '55')",
        "n  | n IN (11.0, 55.5)",
        "n  | n IN (11D, 55L, NULL)",
        "n  | n = CAST('x' AS INT)",
        "id | id IN ('11', '22x')",
        "id | id IN (11.0, 22.5, 33)",
        "id | id = 9223372036854775808",
        "k  | k IN (11, 'k22')",
      })
  void giveTheSameRows(String column, String filter) {
    String sql = "SELECT * FROM lake.db." + column + " WHERE " + filter;
    assertThat(Lake.rows(lake.sql(sql))).isEqualTo(lake.rowsWithoutIndex(sql));
  }

  static Stream<Arguments> lengths() {
    // Spark makes InSet of more than 10 values, Iceberg stops min/max pruning above 200.
    return Stream.of(2, 10, 11, 12, 201, 1000, 3000).map(Arguments::of);
  }

  @ParameterizedTest(name = "IN list of {0} values")
  @MethodSource("lengths")
  @DisplayName("C22: IN lists of any length")
  void inListsAreAnswered(int length) {
    String keys =
        IntStream.range(0, length)
            .mapToObj(i -> i < 2 ? "'k" + (11 * (i + 1)) + "'" : "'none" + i + "'")
            .collect(Collectors.joining(", "));
    lake.assertPruned("SELECT * FROM lake.db.k WHERE k IN (" + keys + ")", 2, ALL);
  }

  @Test
  @DisplayName("C22: quoted and dotted names; a nested field of that name is not the column")
  void quotedDottedAndNestedNames() throws Exception {
    String select = "SELECT * FROM lake.db.odd WHERE ";
    lake.sql(
        "CREATE TABLE lake.db.odd (`k.x` STRING, `k ``y` STRING, s STRUCT<x: STRING>) USING iceberg"
            + " TBLPROPERTIES ('write.metadata.metrics.default'='none')");
    lake.sql("INSERT INTO lake.db.odd VALUES ('a', 'b', named_struct('x', 'c'))");
    lake.sql("INSERT INTO lake.db.odd VALUES ('c', 'a', named_struct('x', 'a'))");

    lake.sync("lake.db.odd", "k.x");
    lake.assertPruned(select + "`k.x` = 'a'", 1, 2);
    lake.assertPruned(select + "odd.`K.X` = 'a' AND s.x = 'c'", 1, 2);
    lake.assertNotPruned(select + "s.x = 'a'", NotUsedReason.NO_KEYS, 2);

    lake.sync("lake.db.odd", "k `y");
    lake.assertPruned(select + "`k ``y` = 'a'", 1, 2);
    lake.assertNotPruned(select + "`k.x` = 'a'", NotUsedReason.OTHER_COLUMN, 2);
  }

  @Test
  @DisplayName("C5, C22: a case-sensitive session tells columns apart that differ in case only")
  void caseSensitiveResolution() throws Exception {
    lake.set("spark.sql.caseSensitive", true);
    try {
      lake.sql(
          "CREATE TABLE lake.db.cases (id BIGINT, k STRING, K STRING) USING iceberg"
              + " TBLPROPERTIES ('write.metadata.metrics.default'='none')");
      lake.sql("INSERT INTO lake.db.cases VALUES (1, 'a', 'b')");
      lake.sql("INSERT INTO lake.db.cases VALUES (2, 'b', 'a')");
      lake.sync("lake.db.cases", "k");

      lake.assertPruned("SELECT * FROM lake.db.cases WHERE k = 'a'", 1, 2);
      lake.assertPruned("SELECT * FROM lake.db.cases WHERE k = 'a' AND K = 'a'", 1, 2);
      lake.assertNotPruned(
          "SELECT * FROM lake.db.cases WHERE K = 'a'", NotUsedReason.OTHER_COLUMN, 2);
    } finally {
      lake.spark().conf().unset("spark.sql.caseSensitive");
    }
  }

  @Test
  @DisplayName("C22: projections do not need the indexed column")
  void columnNeedNotBeSelected() {
    lake.assertPruned("SELECT n FROM lake.db.k WHERE k = 'k11'", 1, ALL);
    lake.assertPruned("SELECT count(*) FROM lake.db.k WHERE k = 'dup'", 2, ALL);
    lake.assertPruned("SELECT _file, _pos, n FROM lake.db.k WHERE k = 'k11'", 1, ALL);
  }
}
