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

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;

/** The column types that can be indexed. The names are those of Spark SQL. */
public enum KeyType {
  STRING(TypeID.STRING),
  INT(TypeID.INTEGER),
  BIGINT(TypeID.LONG);

  private final TypeID icebergType;

  KeyType(TypeID icebergType) {
    this.icebergType = icebergType;
  }

  /** The key type of an Iceberg type, or empty where columns of that type cannot be indexed. */
  public static Optional<KeyType> of(Type type) {
    return Arrays.stream(values()).filter(k -> k.icebergType == type.typeId()).findFirst();
  }

  /** The types that can be indexed, for messages: {@code string, int, bigint}. */
  public static String allowed() {
    return Arrays.stream(values()).map(KeyType::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
