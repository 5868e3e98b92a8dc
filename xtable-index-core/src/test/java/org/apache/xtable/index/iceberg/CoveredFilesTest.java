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

import java.nio.ByteBuffer;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.xtable.index.DataPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C9: Parquet files below the data path, and no others. */
class CoveredFilesTest {
  private final CoveredFiles covered = new CoveredFiles(new DataPath("s3://b/t/data"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "f.parquet",
        "f",
        "p=1/q=%2F/f.parquet",
        ".hoodie_copy/f.parquet",
        "p/.hoodie/f.parquet",
        "..f/...",
        "a:b"
      })
  void parquetBelowTheDataPathIsCovered(String path) {
    assertThat(covered.relativePath(file("s3a://b/t/data/" + path, FileFormat.PARQUET)))
        .contains(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://b/t/elsewhere/f.parquet",
        "s3://c/t/data/f.parquet",
        "s3://b/t/data/.hoodie",
        "s3://b/t/data/.hoodie/f.parquet",
        "s3://b/t/data/.hoodie/metadata/f.parquet",
        "s3://b/t/data//f.parquet",
        "s3://b/t/data/p//f.parquet",
        "s3://b/t/data/p/../f.parquet",
        "s3://b/t/data/./f.parquet",
        "s3://b/t/data/p/"
      })
  void pathsThatAreElsewhereOrWouldBeTakenForOthersAreNot(String location) {
    assertThat(covered.covers(file(location, FileFormat.PARQUET))).isFalse();
  }

  @Test
  void otherFormatsAndDeleteFilesAreNot() {
    assertThat(covered.covers(file("s3://b/t/data/f.orc", FileFormat.ORC))).isFalse();
    assertThat(covered.covers(file("s3://b/t/data/f.parquet", FileFormat.AVRO))).isFalse();
    ContentFile<?> deletes =
        FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
            .ofPositionDeletes()
            .withPath("s3://b/t/data/d.parquet")
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(1)
            .withRecordCount(1)
            .build();
    assertThat(covered.covers(deletes)).isFalse();
  }

  @Test
  void encryptedFilesAreNot() {
    DataFile plain = file("s3://b/t/data/f.parquet", FileFormat.PARQUET);
    DataFile encrypted =
        DataFiles.builder(PartitionSpec.unpartitioned())
            .copy(plain)
            .withEncryptionKeyMetadata(ByteBuffer.wrap(new byte[] {1}))
            .build();
    assertThat(covered.covers(plain)).isTrue();
    assertThat(covered.covers(encrypted)).isFalse();
  }

  private static DataFile file(String location, FileFormat format) {
    return DataFiles.builder(PartitionSpec.unpartitioned())
        .withPath(location)
        .withFormat(format)
        .withFileSizeInBytes(1)
        .withRecordCount(1)
        .build();
  }
}
