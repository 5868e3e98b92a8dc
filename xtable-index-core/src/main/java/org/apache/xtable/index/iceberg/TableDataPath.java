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

import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.xtable.index.DataPath;

/** The data path of an Iceberg table. */
public final class TableDataPath {
  // TableProperties has deprecated its constants for these two.
  private static final String OBJECT_STORAGE_PATH = "write.object-storage.path";
  private static final String FOLDER_STORAGE_PATH = "write.folder-storage.path";

  private TableDataPath() {}

  /**
   * {@code write.data.path}, else the property that older Iceberg releases had for it (as their
   * {@code LocationProviders} chose it), else {@code <table location>/data}.
   */
  public static DataPath of(Table table) {
    Map<String, String> properties = table.properties();
    String path = properties.get(TableProperties.WRITE_DATA_LOCATION);
    if (path == null
        && Boolean.parseBoolean(properties.get(TableProperties.OBJECT_STORE_ENABLED))) {
      path = properties.get(OBJECT_STORAGE_PATH);
    }
    if (path == null) {
      path = properties.get(FOLDER_STORAGE_PATH);
    }
    return new DataPath(path != null ? path : new DataPath(table.location()).resolve("data"));
  }
}
