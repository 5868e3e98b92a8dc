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

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.BoundPredicate;
import org.apache.iceberg.expressions.BoundReference;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors;
import org.apache.iceberg.expressions.ExpressionVisitors.ExpressionVisitor;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.xtable.index.KeyType;

/**
 * For columns that can be indexed, the keys that a filter asks for: a row that passes the filter
 * has one of them in that column. Columns whose values the filter does not narrow to a set of keys
 * are not constrained.
 *
 * <p>A row has one value in a column, so AND intersects sets of keys and OR unites them.
 *
 * <p>Immutable.
 */
final class KeyConstraints {
  /** Any row may pass. */
  private static final KeyConstraints ANY = new KeyConstraints(Collections.emptyMap(), false);

  /** No row passes. */
  private static final KeyConstraints NONE = new KeyConstraints(Collections.emptyMap(), true);

  private final Map<Integer, Set<Object>> keysByFieldId;
  private final boolean nothingPasses;

  private KeyConstraints(Map<Integer, Set<Object>> keysByFieldId, boolean nothingPasses) {
    this.keysByFieldId = keysByFieldId;
    this.nothingPasses = nothingPasses;
  }

  /**
   * What a conjunction of filters asks for.
   *
   * @param schema of the columns that the filters name
   * @param filters not bound
   */
  static KeyConstraints of(Schema schema, List<Expression> filters, boolean caseSensitive) {
    KeyVisitor visitor = new KeyVisitor(schema);
    KeyConstraints constraints = ANY;
    for (Expression filter : filters) {
      Expression bound =
          Binder.bind(schema.asStruct(), Expressions.rewriteNot(filter), caseSensitive);
      constraints = constraints.and(ExpressionVisitors.visit(bound, visitor));
    }
    return constraints;
  }

  /** The ids of the constrained columns. */
  Set<Integer> fieldIds() {
    return Collections.unmodifiableSet(keysByFieldId.keySet());
  }

  /**
   * The keys of a column, of its Java type ({@link String}, {@link Integer}, {@link Long}), or
   * empty if it is not constrained.
   */
  Optional<Set<Object>> keys(int fieldId) {
    return Optional.ofNullable(keysByFieldId.get(fieldId)).map(Collections::unmodifiableSet);
  }

  private KeyConstraints and(KeyConstraints other) {
    if (nothingPasses || other.nothingPasses) {
      return NONE;
    }
    Map<Integer, Set<Object>> both = new HashMap<>(keysByFieldId);
    other.keysByFieldId.forEach((fieldId, keys) -> both.merge(fieldId, keys, this::intersection));
    return new KeyConstraints(both, false);
  }

  private KeyConstraints or(KeyConstraints other) {
    if (nothingPasses) {
      return other;
    }
    if (other.nothingPasses) {
      return this;
    }
    Map<Integer, Set<Object>> either = new HashMap<>(keysByFieldId);
    either.keySet().retainAll(other.keysByFieldId.keySet());
    either.replaceAll((fieldId, keys) -> union(keys, other.keysByFieldId.get(fieldId)));
    return new KeyConstraints(either, false);
  }

  private Set<Object> intersection(Set<Object> left, Set<Object> right) {
    Set<Object> keys = new HashSet<>(left);
    keys.retainAll(right);
    return keys;
  }

  private static Set<Object> union(Set<Object> left, Set<Object> right) {
    Set<Object> keys = new HashSet<>(left);
    keys.addAll(right);
    return keys;
  }

  @Override
  public String toString() {
    return nothingPasses ? "KeyConstraints(nothing passes)" : "KeyConstraints" + fieldIds();
  }

  /**
   * Binding has converted the literals to the column's type, and those that are out of its range to
   * alwaysTrue or alwaysFalse.
   */
  private static final class KeyVisitor extends ExpressionVisitor<KeyConstraints> {
    private final Schema schema;

    KeyVisitor(Schema schema) {
      this.schema = schema;
    }

    @Override
    public KeyConstraints alwaysTrue() {
      return ANY;
    }

    @Override
    public KeyConstraints alwaysFalse() {
      return NONE;
    }

    /** Not reached: NOT is rewritten away. */
    @Override
    public KeyConstraints not(KeyConstraints child) {
      return ANY;
    }

    @Override
    public KeyConstraints and(KeyConstraints left, KeyConstraints right) {
      return left.and(right);
    }

    @Override
    public KeyConstraints or(KeyConstraints left, KeyConstraints right) {
      return left.or(right);
    }

    @Override
    public <T> KeyConstraints predicate(BoundPredicate<T> predicate) {
      if (!(predicate.term() instanceof BoundReference)) {
        return ANY; // a transform of a column
      }
      // Only top-level fields are fields of the struct.
      NestedField field = schema.asStruct().field(predicate.ref().fieldId());
      if (field == null || KeyType.of(field.type()).isEmpty()) {
        return ANY;
      }
      switch (predicate.op()) {
        case EQ:
          return keys(field, Stream.of(predicate.asLiteralPredicate().literal().value()));
        case IN:
          return keys(field, predicate.asSetPredicate().literalSet().stream());
        default:
          return ANY;
      }
    }

    private static KeyConstraints keys(NestedField field, Stream<?> values) {
      Set<Object> keys = new HashSet<>();
      values.forEach(value -> keys.add(value instanceof CharSequence ? value.toString() : value));
      return new KeyConstraints(Map.of(field.fieldId(), keys), false);
    }
  }
}
