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
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.client.timeline.TimelineArchivers;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieActiveTimeline;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.config.HoodieWriteConfig;
import org.apache.hudi.table.HoodieSparkTable;
import org.apache.xtable.index.DamagedIndexException;

/**
 * The data table's timeline, one commit a sync.
 *
 * <p>Hudi's own rollback and cleaner are never used on it: they may delete the files that are
 * registered, and those are Iceberg's.
 */
final class DataTimeline {
  private static final String COMMIT = HoodieTimeline.COMMIT_ACTION;

  private final HoodieTableMetaClient metaClient;

  DataTimeline(HoodieTableMetaClient metaClient) {
    this.metaClient = metaClient;
  }

  /** Begins a commit, which readers ignore until it {@link #complete completes}. */
  HoodieInstant begin() {
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    String time = metaClient.createNewInstantTime(false);
    HoodieInstant requested =
        metaClient.createNewInstant(HoodieInstant.State.REQUESTED, COMMIT, time);
    timeline.createNewInstant(requested);
    timeline.transitionRequestedToInflight(requested, Option.empty());
    return metaClient.createNewInstant(HoodieInstant.State.INFLIGHT, COMMIT, time);
  }

  void complete(HoodieInstant inflight, HoodieCommitMetadata commit) {
    metaClient.getActiveTimeline().saveAsComplete(inflight, Option.of(commit));
  }

  /**
   * Removes the commits that killed syncs left pending.
   *
   * @param last the last completed commit
   * @param undo undoes what else there is of a commit; given its time
   * @return the times of those commits
   * @throws DamagedIndexException if one is pending that is older than the last: no sync leaves
   *     such a one behind, so it was completed once, and to undo it would lose its entries
   */
  Set<String> removePendingAfter(String last, Consumer<String> undo) {
    HoodieActiveTimeline timeline = metaClient.reloadActiveTimeline();
    List<HoodieInstant> pending = timeline.filterInflightsAndRequested().getInstants();
    Set<String> times =
        pending.stream()
            .map(HoodieInstant::requestedTime)
            .collect(Collectors.toCollection(TreeSet::new));
    for (String time : times) {
      if (time.compareTo(last) < 0) {
        throw new DamagedIndexException(
            "commit " + time + " below " + metaClient.getBasePath() + " is no longer complete");
      }
    }
    times.forEach(undo);
    pending.stream().filter(HoodieInstant::isInflight).forEach(timeline::deleteInstantFileIfExists);
    for (String time : times) {
      timeline.deleteInstantFileIfExists(
          metaClient.createNewInstant(HoodieInstant.State.REQUESTED, COMMIT, time));
    }
    return times;
  }

  /**
   * Moves old commits to Hudi's archive, {@code .hoodie/timeline/history}. Nothing is lost by that:
   * the metadata table's listing has the registered files, the last commit the state.
   *
   * @param config has the bounds of how many stay
   */
  void archive(HoodieWriteConfig config, HoodieSparkEngineContext engine) {
    try {
      TimelineArchivers.getInstance(
              metaClient.getTimelineLayoutVersion(),
              config,
              HoodieSparkTable.create(config, engine))
          .archiveIfRequired(engine, false);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot archive the timeline below " + metaClient.getBasePath(), e);
    }
  }
}
