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
package org.apache.xtable.index.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.KeyType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C5: one column, top level, string, int or bigint. */
class IndexableColumnTest {
  private static final Schema SCHEMA =
      new Schema(
          NestedField.optional(1, "name", Types.StringType.get()),
          NestedField.optional(2, "Name", Types.IntegerType.get()),
          NestedField.required(3, "id", Types.LongType.get()),
          NestedField.optional(4, "x.y", Types.StringType.get()),
          NestedField.optional(
              5,
              "s",
              Types.StructType.of(NestedField.optional(6, "inner", Types.StringType.get()))),
          NestedField.optional(7, "d", Types.DoubleType.get()),
          NestedField.optional(8, "l", Types.ListType.ofOptional(9, Types.StringType.get())),
          NestedField.optional(10, "u", Types.UUIDType.get()),
          NestedField.optional(11, "dt", Types.DateType.get()),
          NestedField.optional(12, "dec", Types.DecimalType.of(9, 2)));

  @Test
  void columnsThatDifferInCaseAreTwo() {
    assertThat(IndexableColumn.in(SCHEMA, "name"))
        .isEqualTo(new IndexedColumn("name", 1, KeyType.STRING));
    assertThat(IndexableColumn.in(SCHEMA, "Name"))
        .isEqualTo(new IndexedColumn("Name", 2, KeyType.INT));
  }

  @Test
  void dotMayBePartOfAName() {
    assertThat(IndexableColumn.in(SCHEMA, "x.y"))
        .isEqualTo(new IndexedColumn("x.y", 4, KeyType.STRING));
  }

  @Test
  void missingColumnIsAnsweredWithNearNamesAndANoteOnCase() {
    assertThatThrownBy(() -> IndexableColumn.in(SCHEMA, "NAME"))
        .isInstanceOf(IndexException.class)
        .hasMessage(
            "Cannot index column 'NAME': the table has no such column (names are case-sensitive);"
                + " did you mean 'Name', 'name'?");
    assertThatThrownBy(() -> IndexableColumn.in(SCHEMA, "customer"))
        .hasMessageStartingWith("Cannot index column 'customer': the table has no such column;")
        .hasMessageContaining("'x.y'");
  }

  @Test
  void nestedColumnIsRefused() {
    for (String nested : new String[] {"s.inner", "l.element"}) {
      assertThatThrownBy(() -> IndexableColumn.in(SCHEMA, nested))
          .isInstanceOf(IndexException.class)
          .hasMessage(
              "Cannot index column '%s': it is nested, but only top-level columns can be indexed",
              nested);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "l", "s", "u", "dt", "dec"})
  void otherTypesAreRefusedWithThoseThatAreAllowed(String column) {
    assertThatThrownBy(() -> IndexableColumn.in(SCHEMA, column))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("'" + column + "'")
        .hasMessageContaining(SCHEMA.findType(column).toString())
        .hasMessageEndingWith("only these types can be indexed: string, int, bigint");
  }
}
