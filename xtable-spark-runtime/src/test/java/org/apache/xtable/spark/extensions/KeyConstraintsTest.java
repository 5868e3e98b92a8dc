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

import static org.apache.iceberg.expressions.Expressions.alwaysFalse;
import static org.apache.iceberg.expressions.Expressions.alwaysTrue;
import static org.apache.iceberg.expressions.Expressions.and;
import static org.apache.iceberg.expressions.Expressions.bucket;
import static org.apache.iceberg.expressions.Expressions.equal;
import static org.apache.iceberg.expressions.Expressions.greaterThan;
import static org.apache.iceberg.expressions.Expressions.in;
import static org.apache.iceberg.expressions.Expressions.isNull;
import static org.apache.iceberg.expressions.Expressions.not;
import static org.apache.iceberg.expressions.Expressions.notEqual;
import static org.apache.iceberg.expressions.Expressions.notIn;
import static org.apache.iceberg.expressions.Expressions.or;
import static org.apache.iceberg.expressions.Expressions.startsWith;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The keys that filters ask for (C22), and no fewer (C23). */
class KeyConstraintsTest {
  private static final int S = 1;
  private static final int I = 2;
  private static final int L = 3;

  private static final Schema SCHEMA =
      new Schema(
          optional(S, "s", Types.StringType.get()),
          optional(I, "i", Types.IntegerType.get()),
          optional(L, "l", Types.LongType.get()),
          optional(4, "d", Types.DoubleType.get()),
          optional(5, "date", Types.DateType.get()),
          optional(6, "nested", Types.StructType.of(optional(7, "s", Types.StringType.get()))));

  @Test
  @DisplayName("C22: keys have the type of the column, whatever the literal's was")
  void keysHaveTheTypeOfTheColumn() {
    assertThat(keys(S, equal("s", "a"))).contains(Set.of("a"));
    assertThat(keys(I, equal("i", 5L))).contains(Set.of(5));
    assertThat(keys(L, equal("l", 5))).contains(Set.of(5L));
    assertThat(keys(L, in("l", 5, 6))).contains(Set.of(5L, 6L));
  }

  @Test
  @DisplayName("C22: an int column has no keys out of its range")
  void literalsOutOfRangeAreNoKeys() {
    assertThat(keys(I, or(equal("i", 3_000_000_000L), equal("i", 5)))).contains(Set.of(5));
    assertThat(keys(I, in("i", 5L, 3_000_000_000L, -3_000_000_000L))).contains(Set.of(5));
  }

  @Test
  @DisplayName("C22: AND intersects, OR unites")
  void andIntersectsOrUnites() {
    Expression ab = in("s", "a", "b");
    Expression bc = in("s", "b", "c");
    assertThat(keys(S, and(ab, bc))).contains(Set.of("b"));
    assertThat(keys(S, ab, bc)).as("filters are a conjunction").contains(Set.of("b"));
    assertThat(keys(S, or(ab, bc))).contains(Set.of("a", "b", "c"));
    assertThat(keys(S, and(equal("s", "a"), equal("s", "b")))).contains(Set.of());
    assertThat(keys(S, and(ab, greaterThan("s", "a")))).contains(Set.of("a", "b"));
    assertThat(keys(S, and(alwaysTrue(), ab))).contains(Set.of("a", "b"));
    assertThat(keys(S, or(alwaysFalse(), ab))).contains(Set.of("a", "b"));
  }

  @Test
  @DisplayName("C22: each column has its own keys")
  void columnsAreIndependent() {
    Expression both = and(equal("s", "a"), equal("i", 1));
    assertThat(keys(S, both)).contains(Set.of("a"));
    assertThat(keys(I, both)).contains(Set.of(1));
    Expression either = or(both, and(equal("s", "b"), equal("l", 1L)));
    assertThat(keys(S, either)).contains(Set.of("a", "b"));
    assertThat(keys(I, either)).isEmpty();
    assertThat(keys(L, either)).isEmpty();
  }

  @Test
  @DisplayName("C22: NOT is resolved")
  void notIsResolved() {
    assertThat(keys(S, not(notEqual("s", "a")))).contains(Set.of("a"));
    assertThat(keys(S, not(notIn("s", "a", "b")))).contains(Set.of("a", "b"));
    assertThat(keys(S, not(and(notEqual("s", "a"), notEqual("s", "b")))))
        .contains(Set.of("a", "b"));
    assertThat(keys(S, not(equal("s", "a")))).isEmpty();
  }

  @Test
  @DisplayName("C23: whatever else rows may pass by leaves the column unconstrained")
  void otherFiltersDoNotConstrain() {
    assertThat(keys(S, greaterThan("s", "a"))).isEmpty();
    assertThat(keys(S, startsWith("s", "a"))).isEmpty();
    assertThat(keys(S, isNull("s"))).isEmpty();
    assertThat(keys(S, or(equal("s", "a"), isNull("s")))).isEmpty();
    assertThat(keys(S, or(equal("s", "a"), equal("i", 1)))).isEmpty();
    assertThat(keys(S, or(equal("s", "a"), alwaysTrue()))).isEmpty();
    assertThat(keys(S, equal(bucket("s", 16), 3))).as("a transform of the column").isEmpty();
  }

  @Test
  @DisplayName("C5, C28: only top-level string, int and bigint columns have keys at all")
  void onlyIndexableColumnsHaveKeys() {
    for (Expression filter :
        List.of(equal("d", 1.0), equal("date", "2020-01-01"), equal("nested.s", "a"))) {
      assertThat(KeyConstraints.of(SCHEMA, List.of(filter), true).fieldIds())
          .as("%s", filter)
          .isEmpty();
    }
  }

  @Test
  @DisplayName("C22: names are resolved as the session resolves them")
  void namesFollowCaseSensitivity() {
    assertThat(KeyConstraints.of(SCHEMA, List.of(equal("S", "a")), false).keys(S))
        .contains(Set.of("a"));
  }

  private static Optional<Set<Object>> keys(int fieldId, Expression... filters) {
    return KeyConstraints.of(SCHEMA, List.of(filters), true).keys(fieldId);
  }
}
