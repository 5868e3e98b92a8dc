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

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.JsonProperties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The Avro schema by which readers of the Hudi table know the data files' columns.
 *
 * <p>Iceberg has such a conversion too, but its Spark runtime relocates Avro, so its result could
 * not be used both with that jar and with Iceberg's plain ones.
 */
final class AvroTableSchema {
  private AvroTableSchema() {}

  /** The schema of a table; all fields are nullable, since older files may lack them. */
  static Schema of(org.apache.iceberg.Schema schema) {
    return record("table", schema.columns());
  }

  private static Schema record(String name, List<Types.NestedField> columns) {
    List<Schema.Field> fields = new ArrayList<>(columns.size());
    for (Types.NestedField column : columns) {
      fields.add(
          new Schema.Field(
              validName(column.name()),
              nullable(convert(column.type(), name + "_" + column.fieldId())),
              null,
              JsonProperties.NULL_VALUE));
    }
    return Schema.createRecord(name, null, null, false, fields);
  }

  /**
   * @param name for a record or fixed type, which Avro wants to have names
   */
  private static Schema convert(Type type, String name) {
    switch (type.typeId()) {
      case BOOLEAN:
        return Schema.create(Schema.Type.BOOLEAN);
      case INTEGER:
        return Schema.create(Schema.Type.INT);
      case LONG:
      case TIMESTAMP_NANO:
        return Schema.create(Schema.Type.LONG);
      case FLOAT:
        return Schema.create(Schema.Type.FLOAT);
      case DOUBLE:
        return Schema.create(Schema.Type.DOUBLE);
      case STRING:
      case UUID:
        return Schema.create(Schema.Type.STRING);
      case DATE:
        return LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
      case TIME:
        return LogicalTypes.timeMicros().addToSchema(Schema.create(Schema.Type.LONG));
      case TIMESTAMP:
        return timestamp((Types.TimestampType) type);
      case DECIMAL:
        return decimal((Types.DecimalType) type);
      case FIXED:
        return Schema.createFixed(name, null, null, ((Types.FixedType) type).length());
      case STRUCT:
        return record(name, type.asStructType().fields());
      case LIST:
        return Schema.createArray(nullable(convert(type.asListType().elementType(), name + "_e")));
      case MAP:
        return map(type.asMapType(), name);
      default:
        return Schema.create(Schema.Type.BYTES);
    }
  }

  private static Schema timestamp(Types.TimestampType type) {
    Schema micros = Schema.create(Schema.Type.LONG);
    return type.shouldAdjustToUTC()
        ? LogicalTypes.timestampMicros().addToSchema(micros)
        : LogicalTypes.localTimestampMicros().addToSchema(micros);
  }

  private static Schema decimal(Types.DecimalType type) {
    return LogicalTypes.decimal(type.precision(), type.scale())
        .addToSchema(Schema.create(Schema.Type.BYTES));
  }

  /** Avro's maps have string keys; another map is a list of its entries. */
  private static Schema map(Types.MapType type, String name) {
    if (type.keyType().typeId() == Type.TypeID.STRING) {
      return Schema.createMap(nullable(convert(type.valueType(), name + "_v")));
    }
    return Schema.createArray(record(name + "_kv", type.fields()));
  }

  private static Schema nullable(Schema schema) {
    return Schema.createUnion(Schema.create(Schema.Type.NULL), schema);
  }

  /**
   * Avro's names are letters, digits and underscores; other chars become {@code _x} and their code
   * in hex.
   */
  private static String validName(String name) {
    StringBuilder valid = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      boolean digit = c >= '0' && c <= '9';
      if (letter || (digit && i > 0)) {
        valid.append(c);
      } else {
        valid.append("_x").append(Integer.toHexString(c));
      }
    }
    return valid.toString();
  }
}
