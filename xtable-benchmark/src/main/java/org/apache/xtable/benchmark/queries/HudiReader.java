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
package org.apache.xtable.benchmark.queries;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.xtable.benchmark.measure.HudiLookup;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.iceberg.TableDataPath;

/**
 * The design of the known alternative, rebuilt as a baseline: Hudi's own reader looks the keys up
 * in the same index, in a Spark job; Iceberg plans the candidate files; those that hold a key are
 * staged as a set of tasks, and a scan of that set answers. Hudi's reader stays open from query to
 * query, though it would then not notice a sync.
 */
final class HudiReader implements Contestant {
  private final HudiLookup lookup;
  private final Table table;
  private final StagedTasks staged;

  HudiReader(HudiLookup lookup, Table table, StagedTasks staged) {
    this.lookup = lookup;
    this.table = table;
    this.staged = staged;
  }

  @Override
  public Supplier<Dataset<Row>> prepare(NeedleQuery query) {
    return () -> query.of(staged.stage(tasks(query)).get());
  }

  private List<FileScanTask> tasks(NeedleQuery query) {
    Set<String> files = new HashSet<>();
    for (String recordKey : lookup.find(query.keys())) {
      files.add(recordKey.substring(0, recordKey.lastIndexOf('_')));
    }
    DataPath dataPath = TableDataPath.of(table);
    try (CloseableIterable<FileScanTask> planned =
        table.newScan().filter(query.expression()).planFiles()) {
      return StreamSupport.stream(planned.spliterator(), false)
          .filter(
              task ->
                  dataPath.relativize(task.file().location()).filter(files::contains).isPresent())
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
