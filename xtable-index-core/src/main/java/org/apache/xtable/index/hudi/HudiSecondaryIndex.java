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

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.data.HoodieListData;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.metadata.HoodieBackedTableMetadata;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.KeyEncoding;
import org.apache.xtable.index.KeyLocations;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SyncedState;

/** An index as one completed sync left it. */
final class HudiSecondaryIndex implements SecondaryIndex {
  private final IndexTable table;
  private final HoodieTableMetaClient metaClient;
  private final HoodieInstant instant;
  private final SyncedState state;

  private HudiSecondaryIndex(
      IndexTable table,
      HoodieTableMetaClient metaClient,
      HoodieInstant instant,
      SyncedState state) {
    this.table = table;
    this.metaClient = metaClient;
    this.instant = instant;
    this.state = state;
  }

  static Optional<SecondaryIndex> open(IndexTable table, HoodieTableMetaClient metaClient) {
    Option<HoodieInstant> last = IndexTable.lastSync(metaClient.getActiveTimeline());
    if (!last.isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        new HudiSecondaryIndex(
            table, metaClient, last.get(), IndexTable.state(metaClient, last.get())));
  }

  @Override
  public SyncedState state() {
    return state;
  }

  @Override
  public KeyLocations lookup(Collection<?> keys) {
    List<String> encoded = keys.stream().map(KeyEncoding::encode).collect(Collectors.toList());
    HoodieLocalEngineContext engine = new HoodieLocalEngineContext(table.storageConf());
    try (HoodieBackedTableMetadata metadata =
        new HoodieBackedTableMetadata(
            engine,
            metaClient.getStorage(),
            HoodieMetadataConfig.newBuilder().enable(true).build(),
            table.dataPath().location())) {
      KeyLocations.Builder locations = KeyLocations.builder();
      metadata
          .readSecondaryIndexDataTableRecordKeysV2(
              HoodieListData.eager(encoded), IndexTable.indexPartition(state.column()))
          .collectAsList()
          .forEach(
              recordKey -> locations.add(EntryKey.file(recordKey), EntryKey.position(recordKey)));
      return locations.build();
    } catch (HoodieException e) {
      throw new IndexException("Cannot look up keys in the index below " + table.dataPath(), e);
    }
  }

  @Override
  public boolean isCurrent() {
    Option<HoodieInstant> last = IndexTable.lastSync(metaClient.reloadActiveTimeline());
    return last.isPresent() && last.get().equals(instant);
  }
}
