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

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.xtable.index.IndexException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HudiSecondaryIndexesTest {
  @Test
  @DisplayName("A data path that Hadoop cannot reach: the message has the line that is missing")
  void unknownFileSystem() {
    try (HudiSecondaryIndexes indexes = new HudiSecondaryIndexes(new Configuration())) {
      assertThatThrownBy(() -> indexes.find("s3://bucket/table/data"))
          .isInstanceOf(IndexException.class)
          .hasMessageContaining("s3://bucket/table/data")
          .hasMessageContaining("spark.hadoop.fs.s3.impl")
          .hasMessageContaining("org.apache.hadoop.fs.s3a.S3AFileSystem");
      assertThatThrownBy(() -> indexes.find("nosuch://bucket/table/data"))
          .isInstanceOf(IndexException.class)
          .hasMessageContaining("spark.hadoop.fs.nosuch.impl");
    }
  }

  @Test
  void wrongCacheSizeIsNamed() {
    Configuration conf = new Configuration();
    conf.set(HudiSecondaryIndexes.MAX_CACHED_BYTES_KEY, "much");
    assertThatThrownBy(() -> new HudiSecondaryIndexes(conf))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("xtable.index.cache.maxBytes should be")
        .hasMessageContaining("was much");
  }
}
