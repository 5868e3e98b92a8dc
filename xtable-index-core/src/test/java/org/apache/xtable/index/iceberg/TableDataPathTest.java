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

import java.nio.file.Path;
import org.apache.iceberg.DataFile;
import org.apache.xtable.index.IcebergTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data path is where Iceberg itself writes. */
class TableDataPathTest {
  @TempDir Path folder;

  @Test
  void isTheDataFolderOfTheTable() {
    IcebergTable table = IcebergTable.create(folder.resolve("t"));
    DataFile file = table.write(1);
    assertThat(TableDataPath.of(table.table()).location()).endsWith("/t/data");
    assertThat(TableDataPath.of(table.table()).relativize(file.location())).isPresent();
  }

  @Test
  void isWhatThePropertySays() {
    IcebergTable table = IcebergTable.create(folder.resolve("t"));
    String elsewhere = "file://" + folder.resolve("else where");
    table.table().updateProperties().set("write.data.path", elsewhere + "//").commit();
    DataFile file = table.write(1);
    assertThat(TableDataPath.of(table.table()).location()).isEqualTo(elsewhere);
    assertThat(TableDataPath.of(table.table()).relativize(file.location())).isPresent();
  }
}
