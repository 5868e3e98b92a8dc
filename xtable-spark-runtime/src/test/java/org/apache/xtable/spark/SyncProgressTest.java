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
package org.apache.xtable.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.iceberg.CoveredFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SyncProgressTest {
  private static SparkSession spark;

  private final AtomicLong seconds = new AtomicLong(100);

  @BeforeAll
  static void start() {
    spark = LocalSpark.start();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  @DisplayName("C14: files done of all, rows a second, and the time that is left")
  void tellsHowFarItIs() {
    try (SyncProgress progress = progress(files(3000, 1000, 0), 10)) {
      assertThat(progress)
          .hasToString("Sync of db.t: read 0 of 2 files, 0 of 4,000 rows, 0 rows/s");

      seconds.addAndGet(10);
      progress.files().add(1);
      progress.rows().add(1000);
      assertThat(progress)
          .hasToString(
              "Sync of db.t: read 1 of 2 files, 1,000 of 4,000 rows, 100 rows/s, about 30 s left");

      seconds.addAndGet(10);
      progress.files().add(1);
      progress.rows().add(3000);
      String read = "Sync of db.t: read 2 of 2 files, 4,000 of 4,000 rows, 200 rows/s";
      assertThat(progress).hasToString(read + "; sorted and wrote 0 of 10 file groups");

      seconds.addAndGet(6);
      progress.fileGroups().add(2);
      assertThat(progress)
          .hasToString(read + "; sorted and wrote 2 of 10 file groups, about 24 s left");

      progress.fileGroups().add(8);
      assertThat(progress).hasToString(read + "; sorted and wrote 10 of 10 file groups");
    }
  }

  @Test
  void tasksThatAreTriedAgainDoNotMakeMoreThanAll() {
    try (SyncProgress progress = progress(files(10), 1)) {
      progress.files().add(2);
      progress.rows().add(20);
      progress.fileGroups().add(2);
      assertThat(progress.toString()).contains("1 of 1 files, 10 of 10 rows", "1 of 1 file groups");
    }
  }

  private SyncProgress progress(List<CoveredFile> files, int fileGroups) {
    return new SyncProgress(
        spark.sparkContext(),
        "db.t",
        files,
        fileGroups,
        () -> TimeUnit.SECONDS.toNanos(seconds.get()));
  }

  private static List<CoveredFile> files(long... rows) {
    return LongStream.of(rows)
        .mapToObj(
            count ->
                new CoveredFile(
                    count + ".parquet",
                    DataFiles.builder(PartitionSpec.unpartitioned())
                        .withPath("/data/" + count + ".parquet")
                        .withFileSizeInBytes(1)
                        .withRecordCount(count)
                        .build()))
        .collect(Collectors.toList());
  }
}
