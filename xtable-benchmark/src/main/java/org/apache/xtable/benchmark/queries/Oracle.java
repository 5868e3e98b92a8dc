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

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.iceberg.FileScanTask;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Knows which files have the keys, from how the rows were made: the limit of what any index of
 * files can reach. It plans outside of what is measured.
 */
final class Oracle implements Contestant {
  private final NeedleTables tables;
  private final StagedTasks staged;

  Oracle(NeedleTables tables, StagedTasks staged) {
    this.tables = tables;
    this.staged = staged;
  }

  @Override
  public Supplier<Dataset<Row>> prepare(NeedleQuery query) {
    Map<Long, FileScanTask> candidates = tables.tasks(query.expression());
    List<FileScanTask> tasks =
        Arrays.stream(query.keyNumbers())
            .flatMap(key -> Arrays.stream(tables.filesOf(key)))
            .distinct()
            .mapToObj(candidates::get)
            .filter(Objects::nonNull)
            .collect(Collectors.toList());
    Supplier<Dataset<Row>> read = staged.stage(tasks);
    return () -> query.of(read.get());
  }
}
