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

import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.IndexedColumn;
import org.apache.xtable.index.KeyType;
import org.apache.xtable.index.NearNames;

/**
 * Finds the column to index in a table's schema: a top-level column of a type that can be indexed,
 * by its exact name. A dot in a name is part of it.
 */
public final class IndexableColumn {
  private IndexableColumn() {}

  /**
   * @throws IndexException if there is no such column, or it cannot be indexed; the message says
   *     which could be
   */
  public static IndexedColumn in(Schema schema, String name) {
    for (NestedField field : schema.columns()) {
      if (field.name().equals(name)) {
        return of(field);
      }
    }
    throw new IndexException("Cannot index column '" + name + "': " + whyMissing(schema, name));
  }

  private static IndexedColumn of(NestedField field) {
    KeyType type =
        KeyType.of(field.type())
            .orElseThrow(
                () ->
                    new IndexException(
                        String.format(
                            "Cannot index column '%s': its type is %s, but only these types can be"
                                + " indexed: %s",
                            field.name(), field.type(), KeyType.allowed())));
    return new IndexedColumn(field.name(), field.fieldId(), type);
  }

  private static String whyMissing(Schema schema, String name) {
    if (schema.findField(name) != null) {
      return "it is nested, but only top-level columns can be indexed";
    }
    List<String> names =
        schema.columns().stream().map(NestedField::name).collect(Collectors.toList());
    StringBuilder why = new StringBuilder("the table has no such column");
    List<String> near = NearNames.to(name, names);
    if (near.stream().anyMatch(name::equalsIgnoreCase)) {
      why.append(" (names are case-sensitive)");
    }
    if (!near.isEmpty()) {
      why.append("; did you mean ").append(quoted(near)).append('?');
    } else {
      why.append("; it has ").append(quoted(names));
    }
    return why.toString();
  }

  private static String quoted(List<String> names) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
  }
}
