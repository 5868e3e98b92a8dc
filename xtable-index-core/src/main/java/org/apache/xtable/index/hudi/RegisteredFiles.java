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

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hudi.common.model.HoodieReplaceCommitMetadata;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.exception.HoodieException;
import org.apache.xtable.index.IndexException;

/** Which data files the index' Hudi table holds. */
final class RegisteredFiles {
  private RegisteredFiles() {}

  /**
   * Relative paths of the files that were registered and not replaced since.
   *
   * <p>They are taken from the commits themselves: Hudi's file system view hides a file group for
   * good once it was replaced, while a file may come back when an Iceberg table is rolled back.
   */
  static Set<String> live(HoodieTableMetaClient metaClient) {
    HoodieTimeline commits = metaClient.getActiveTimeline().getCompletedReplaceTimeline();
    Set<String> live = new HashSet<>();
    for (HoodieInstant instant : commits.getInstants()) {
      try {
        HoodieReplaceCommitMetadata commit = commits.readReplaceCommitMetadata(instant);
        commit.getPartitionToReplaceFileIds().values().forEach(live::removeAll);
        commit.getWriteStats().forEach(stat -> live.add(stat.getFileId()));
      } catch (IOException | HoodieException e) {
        throw new IndexException(
            "Cannot read commit " + instant + " below " + metaClient.getBasePath(), e);
      }
    }
    return live;
  }
}
