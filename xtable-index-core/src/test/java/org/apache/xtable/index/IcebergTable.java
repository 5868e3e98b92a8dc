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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericAppenderFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.types.Types;

/** A real Iceberg table in a folder, written without Spark. */
public final class IcebergTable {
  public static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "c", Types.StringType.get()),
          Types.NestedField.optional(3, "n", Types.IntegerType.get()),
          Types.NestedField.optional(4, "price", Types.DoubleType.get()));

  private final Table table;
  private long nextId;

  private IcebergTable(Table table) {
    this.table = table;
  }

  public static IcebergTable create(Path folder) {
    return create(folder, Map.of("format-version", "2"));
  }

  public static IcebergTable create(Path folder, Map<String, String> properties) {
    HadoopTables tables = new HadoopTables(new Configuration());
    return new IcebergTable(
        tables.create(SCHEMA, PartitionSpec.unpartitioned(), properties, "file://" + folder));
  }

  public Table table() {
    table.refresh();
    return table;
  }

  public long currentId() {
    return table().currentSnapshot().snapshotId();
  }

  /** Writes a Parquet file where the table writes its own, and does not commit it. */
  public DataFile write(int rows) {
    return write(rows, FileFormat.PARQUET);
  }

  public DataFile write(int rows, FileFormat format) {
    String name = UUID.randomUUID() + "." + format.name().toLowerCase(Locale.ROOT);
    String location =
        table.spec().isUnpartitioned()
            ? table.locationProvider().newDataLocation(name)
            : table.locationProvider().newDataLocation(table.spec(), partition(), name);
    return writeTo(location, rows, format);
  }

  public DataFile writeTo(String location, int rows, FileFormat format) {
    GenericAppenderFactory factory = new GenericAppenderFactory(table.schema(), table.spec());
    DataWriter<Record> writer =
        factory.newDataWriter(
            EncryptedFiles.plainAsEncryptedOutput(table.io().newOutputFile(location)),
            format,
            table.spec().isUnpartitioned() ? null : partition());
    try (writer) {
      for (int i = 0; i < rows; i++) {
        writer.write(row());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDataFile();
  }

  private Record row() {
    GenericRecord row = GenericRecord.create(table.schema());
    row.setField("id", nextId++);
    return row;
  }

  private StructLike partition() {
    return GenericRecord.create(table.spec().partitionType());
  }

  /** Writes and appends one file. */
  public DataFile append(int rows) {
    DataFile file = write(rows);
    table.newAppend().appendFile(file).commit();
    return file;
  }

  /** Commits a delete file that hides rows of a data file. Only its metadata is real. */
  public void hideRows(DataFile file) {
    table
        .newRowDelta()
        .addDeletes(
            FileMetadata.deleteFileBuilder(table.spec())
                .ofPositionDeletes()
                .withPath(file.location() + "-deletes.parquet")
                .withFileSizeInBytes(10)
                .withRecordCount(file.recordCount())
                .withReferencedDataFile(file.location())
                .withFormat(FileFormat.PARQUET)
                .build())
        .commit();
  }

  public void expire(long snapshotId) {
    table.expireSnapshots().expireSnapshotId(snapshotId).cleanExpiredFiles(true).commit();
  }

  public static SyncedState state(Table table, long entries, long rows, long files) {
    return new SyncedState(
        table.uuid().toString(),
        table.currentSnapshot() == null
            ? SyncedState.NO_SNAPSHOT
            : table.currentSnapshot().snapshotId(),
        table.schema().schemaId(),
        new IndexedColumn("c", 2, KeyType.STRING),
        entries,
        rows,
        files,
        rows);
  }
}
