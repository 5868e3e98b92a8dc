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
package org.apache.xtable.index;

import java.io.Serializable;
import java.util.Objects;

/**
 * The column that an index is of. Names are case-sensitive; the Iceberg field id tells a column
 * from another that was given its name later.
 *
 * <p>Immutable.
 */
public final class IndexedColumn implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final int fieldId;
  private final KeyType type;

  public IndexedColumn(String name, int fieldId, KeyType type) {
    this.name = Objects.requireNonNull(name, "name is null");
    this.fieldId = fieldId;
    this.type = Objects.requireNonNull(type, "type is null");
  }

  public String name() {
    return name;
  }

  public int fieldId() {
    return fieldId;
  }

  public KeyType type() {
    return type;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof IndexedColumn)) {
      return false;
    }
    IndexedColumn that = (IndexedColumn) other;
    return fieldId == that.fieldId && name.equals(that.name) && type == that.type;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, fieldId, type);
  }

  @Override
  public String toString() {
    return name + " (field id " + fieldId + ", " + type + ")";
  }
}
