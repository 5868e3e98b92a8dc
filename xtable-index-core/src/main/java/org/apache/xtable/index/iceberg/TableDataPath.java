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

import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.xtable.index.DataPath;

/**
 * Where a table keeps its data files: {@code write.data.path}, else {@code <table location>/data}.
 * The rule of {@code org.apache.iceberg.LocationProviders}, but for the deprecated properties
 * {@code write.object-storage.path} and {@code write.folder-storage.path}, and custom location
 * providers: files that those place elsewhere are not covered.
 */
public final class TableDataPath {
  private TableDataPath() {}

  public static DataPath of(Table table) {
    String configured = table.properties().get(TableProperties.WRITE_DATA_LOCATION);
    if (configured != null) {
      return new DataPath(configured);
    }
    return new DataPath(new DataPath(table.location()).resolve("data"));
  }
}
