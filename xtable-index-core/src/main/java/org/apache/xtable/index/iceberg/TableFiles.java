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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ParallelIterable;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.iceberg.util.ThreadPools;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The covered data files of a table's snapshots.
 *
 * <p>Read from the data manifests, never by a scan: a scan leaves files out whose rows delete files
 * hide, and an index must have them, since a rollback brings the rows back.
 *
 * <p>Not thread-safe; reads manifests in Iceberg's worker pool.
 */
public final class TableFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TableFiles.class);

  /** What the sync needs of a manifest entry: no statistics, which are most of a manifest. */
  private static final List<String> COLUMNS =
      Collections.unmodifiableList(
          Arrays.asList(
              "file_path",
              "file_format",
              "partition",
              "record_count",
              "file_size_in_bytes",
              "key_metadata",
              "split_offsets",
              "sort_order_id"));

  private final Table table;
  private final CoveredFiles covered;

  public TableFiles(Table table, CoveredFiles covered) {
    this.table = Objects.requireNonNull(table, "table is null");
    this.covered = Objects.requireNonNull(covered, "covered is null");
  }

  /**
   * The covered files of a snapshot, each once, in no particular order.
   *
   * @param snapshot a snapshot of the table, or null for a table without one
   */
  public List<CoveredFile> of(Snapshot snapshot) {
    return new ArrayList<>(read(dataManifests(snapshot)).values());
  }

  /**
   * What changed from one snapshot to another, whatever their relation.
   *
   * <p>Reads only manifests that one of the two has and the other has not, so the cost is that of
   * what was committed between them. Only where the older snapshot is no ancestor of the newer (a
   * rollback, say) and files are gone, the manifests of both are read for them too: an entry that
   * an earlier commit made twice may have gone once.
   *
   * <p>One imprecision is left, and harmless: a file that was already in the table and is appended
   * again counts as added, once more in the live counts too. Its entries are written again and are
   * the same; garbage, the difference of two counts that both have it twice, stays right. To tell
   * would cost reading every manifest of the table in every sync.
   *
   * @param from the synced snapshot, or null if the table had none
   * @param to the current snapshot, or null if the table has none
   * @param fromFiles covered files of {@code from}
   * @param fromRows rows of those files
   * @return the changes, or empty if the manifests of {@code from} are gone from storage
   */
  public Optional<FileChanges> changes(Snapshot from, Snapshot to, long fromFiles, long fromRows) {
    Map<String, CoveredFile> before;
    List<ManifestFile> toManifests = dataManifests(to);
    List<ManifestFile> fromManifests;
    try {
      fromManifests = dataManifests(from);
      before = read(without(fromManifests, toManifests));
    } catch (NotFoundException e) {
      LOG.warn("Metadata of the synced snapshot of {} is gone; comparing files", table.name(), e);
      return Optional.empty();
    }
    Map<String, CoveredFile> after = read(without(toManifests, fromManifests));

    List<CoveredFile> added = notIn(before.keySet(), after);
    Map<String, CoveredFile> removed = new LinkedHashMap<>(before);
    removed.keySet().removeAll(after.keySet());
    if (!removed.isEmpty() && !isAncestor(from, to)) {
      removed.keySet().removeAll(read(common(fromManifests, toManifests)).keySet());
    }
    return Optional.of(
        new FileChanges(
            added,
            removed.keySet(),
            Math.max(0, fromFiles + added.size() - removed.size()),
            Math.max(0, fromRows + rows(added) - rows(removed.values()))));
  }

  /**
   * What changed from a set of files to a snapshot. For when the synced snapshot is not known any
   * more; reads all manifests of the current one.
   *
   * @param known relative paths of the files that the index has all entries of
   * @param to the current snapshot, or null if the table has none
   */
  public FileChanges changes(Set<String> known, Snapshot to) {
    Map<String, CoveredFile> live = read(dataManifests(to));
    Set<String> removed = new HashSet<>(known);
    removed.removeAll(live.keySet());
    return new FileChanges(notIn(known, live), removed, live.size(), rows(live.values()));
  }

  private boolean isAncestor(Snapshot from, Snapshot to) {
    return to != null && SnapshotUtil.isAncestorOf(table, to.snapshotId(), from.snapshotId());
  }

  private List<ManifestFile> dataManifests(Snapshot snapshot) {
    return snapshot == null ? Collections.emptyList() : snapshot.dataManifests(table.io());
  }

  private static List<ManifestFile> without(List<ManifestFile> some, List<ManifestFile> others) {
    Set<String> paths = paths(others);
    return filter(some, manifest -> !paths.contains(manifest.path()));
  }

  private static List<ManifestFile> common(List<ManifestFile> some, List<ManifestFile> others) {
    Set<String> paths = paths(others);
    return filter(some, manifest -> paths.contains(manifest.path()));
  }

  private static Set<String> paths(List<ManifestFile> manifests) {
    return manifests.stream().map(ManifestFile::path).collect(Collectors.toSet());
  }

  private static List<ManifestFile> filter(
      List<ManifestFile> manifests, Predicate<ManifestFile> keep) {
    return manifests.stream().filter(keep).collect(Collectors.toList());
  }

  private static List<CoveredFile> notIn(Set<String> known, Map<String, CoveredFile> files) {
    return files.entrySet().stream()
        .filter(file -> !known.contains(file.getKey()))
        .map(Map.Entry::getValue)
        .collect(Collectors.toList());
  }

  private static long rows(Collection<CoveredFile> files) {
    return files.stream().mapToLong(CoveredFile::rows).sum();
  }

  /** The covered files that manifests say are live, by relative path. */
  private Map<String, CoveredFile> read(List<ManifestFile> manifests) {
    Map<String, CoveredFile> files = new LinkedHashMap<>();
    List<CloseableIterable<DataFile>> readers =
        manifests.stream().map(this::open).collect(Collectors.toList());
    try (CloseableIterable<DataFile> all =
        new ParallelIterable<>(readers, ThreadPools.getWorkerPool())) {
      for (DataFile file : all) {
        covered
            .relativePath(file)
            .ifPresent(path -> files.putIfAbsent(path, new CoveredFile(path, file)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read manifests of " + table.name(), e);
    }
    return files;
  }

  private CloseableIterable<DataFile> open(ManifestFile manifest) {
    return ManifestFiles.read(manifest, table.io(), table.specs()).select(COLUMNS);
  }
}
