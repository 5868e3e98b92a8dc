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

import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SecondaryIndexes;

/** Placeholder, to be replaced by the Hudi storage: it finds no index. */
public final class HudiSecondaryIndexes implements SecondaryIndexes {
  public HudiSecondaryIndexes(Configuration conf) {
    Objects.requireNonNull(conf, "conf is null");
  }

  @Override
  public Optional<SecondaryIndex> find(String dataPath) {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
