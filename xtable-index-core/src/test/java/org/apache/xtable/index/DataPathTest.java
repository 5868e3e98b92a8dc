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
package org.apache.xtable.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** C9: which files are below the data path, and how they are named there. */
class DataPathTest {
  @ParameterizedTest
  @CsvSource({
    "s3://b/t/data,           s3://b/t/data/f.parquet,          f.parquet",
    "s3://b/t/data,           s3a://b/t/data/f.parquet,         f.parquet",
    "s3://b/t/data/,          s3n://b/t/data/p=1/f.parquet,     p=1/f.parquet",
    "hdfs://nn:8020/t/data,   hdfs://nn:8020/t/data/a b/é%20#1, a b/é%20#1",
    "/t/data,                 file:/t/data/f,                   f",
    "file:/t/data,            file:///t/data/f,                 f",
    "file:///t/data,          /t/data/f,                        f",
    "/t/data,                 /t/data/x:y/f,                    x:y/f",
    "s3://b,                  s3://b/f,                         f",
  })
  void fileBelowIsNamedByTheRestOfItsPath(String dataPath, String file, String relative) {
    assertThat(new DataPath(dataPath).relativize(file)).contains(relative);
  }

  @ParameterizedTest
  @CsvSource({
    "s3://b/t/data,         s3://b/t/data2/f",
    "s3://b/t/data,         s3://b/t/dat",
    "s3://b/t/data,         s3://b/t/data",
    "s3://b/t/data,         s3://b/t/data/",
    "s3://b/t/data,         s3://other/t/data/f",
    "s3://b/t/data,         S3://B/t/data/f",
    "hdfs://nn:8020/t/data, hdfs://nn2:8020/t/data/f",
    "hdfs://nn/t/data,      /t/data/f",
    "/t/data,               file://host/t/data/f",
  })
  void fileElsewhereIsNotBelow(String dataPath, String file) {
    assertThat(new DataPath(dataPath).relativize(file)).isEmpty();
  }

  @Test
  void resolvingGivesBackTheLocation() {
    DataPath dataPath = new DataPath("s3a://b/t/data//");
    assertThat(dataPath.location()).isEqualTo("s3a://b/t/data");
    assertThat(dataPath.resolve("p=1/f")).isEqualTo("s3a://b/t/data/p=1/f");
    assertThat(dataPath.relativize(dataPath.resolve("p=1/f"))).contains("p=1/f");
  }

  @Test
  void pathsAreEqualWhateverTheirScheme() {
    assertThat(new DataPath("s3://b/t/")).isEqualTo(new DataPath("s3a://b/t"));
    assertThat(new DataPath("s3://b/t")).hasSameHashCodeAs(new DataPath("s3a://b/t"));
    assertThat(new DataPath("s3://b/t")).isNotEqualTo(new DataPath("s3://c/t"));
  }
}
