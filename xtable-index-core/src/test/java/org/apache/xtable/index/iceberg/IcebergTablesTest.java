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

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.xtable.index.IcebergTable;
import org.apache.xtable.index.IndexException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C3: a table is found by path or through a catalog. */
class IcebergTablesTest {
  private static final String HADOOP = "org.apache.iceberg.hadoop.HadoopCatalog";

  @TempDir Path folder;
  private final Configuration conf = new Configuration();

  @Test
  void byPathWithOrWithoutSchemeAndSlash() {
    Path path = folder.resolve("a table");
    IcebergTable created = IcebergTable.create(path);
    for (String location : new String[] {path.toString(), path + "/", "file://" + path}) {
      assertThat(IcebergTables.load(location, conf).uuid()).isEqualTo(created.table().uuid());
    }
  }

  @Test
  void pathWithoutTableIsNamed() {
    assertThatThrownBy(() -> IcebergTables.load(folder.toString(), conf))
        .isInstanceOf(NoTableException.class)
        .hasMessageContaining(folder.toString());
  }

  @Test
  void metadataTableIsRefused() {
    Path path = folder.resolve("t");
    IcebergTable.create(path);
    assertThatThrownBy(() -> IcebergTables.load(path + "#files", conf))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("metadata table");
  }

  @Test
  void throughACatalogByClassOrByType() {
    TableIdentifier identifier = TableIdentifier.of(Namespace.of("db", "sub"), "t");
    TableIdentifier atRoot = TableIdentifier.of(Namespace.empty(), "r");
    String uuid;
    try (HadoopCatalog catalog = new HadoopCatalog(conf, folder.toString())) {
      uuid = catalog.createTable(identifier, IcebergTable.SCHEMA).uuid().toString();
      catalog.createTable(atRoot, IcebergTable.SCHEMA);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    Map<String, String> options = Map.of("warehouse", folder.toString());
    Map<String, String> typed = Map.of("warehouse", folder.toString(), "type", "hadoop");
    try (IcebergTables byClass = IcebergTables.ofCatalog(HADOOP, "cat", options, conf);
        IcebergTables byType = IcebergTables.ofCatalog(null, "cat", typed, conf)) {
      assertThat(byClass.load("db.sub", "t").uuid()).hasToString(uuid);
      assertThat(byType.load("db.sub", "t").uuid()).hasToString(uuid);
      assertThat(byType.load("", "db.sub.t").uuid()).hasToString(uuid);
      assertThat(byType.load("", "r")).isNotNull();
      assertThatThrownBy(() -> byType.load("db", "none"))
          .isInstanceOf(NoTableException.class)
          .hasMessage("Cannot find table: catalog 'cat' has no table 'db.none'");
    }
  }

  @Test
  void catalogThatCannotBeOpenedIsNamed() {
    assertThatThrownBy(() -> IcebergTables.ofCatalog("no.such.Class", "cat", Map.of(), conf))
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith("Cannot open Iceberg catalog 'cat': ")
        .hasMessageContaining("no.such.Class");
  }

  /** A catalog whose own words do not say what is wrong. */
  public static final class FailingCatalog extends HadoopCatalog {
    @Override
    public void initialize(String name, Map<String, String> options) {
      throw new IllegalStateException(
          "Cannot initialize", new RuntimeException(new IOException("connection refused")));
    }
  }

  @Test
  void causeOfACatalogThatCannotBeOpenedIsTold() {
    assertThatThrownBy(
            () -> IcebergTables.ofCatalog(FailingCatalog.class.getName(), "cat", Map.of(), conf))
        .isInstanceOf(IndexException.class)
        .hasMessage("Cannot open Iceberg catalog 'cat': Cannot initialize: connection refused");
  }
}
