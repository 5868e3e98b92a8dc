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
package org.apache.hudi.metadata;

import java.util.function.Supplier;
import org.apache.hudi.client.SparkRDDMetadataWriteClient;
import org.apache.hudi.common.engine.HoodieEngineContext;
import org.apache.hudi.config.HoodieWriteConfig;

/** Hudi's client, but that its table services are those of {@link MergingTableServiceClient}. */
@SuppressWarnings("unchecked") // of what it inherits
final class MergingWriteClient<T> extends SparkRDDMetadataWriteClient<T> {
  private static final long serialVersionUID = 1L;

  MergingWriteClient(
      HoodieEngineContext context, HoodieWriteConfig config, Supplier<FileGroupMerge> merge) {
    super(context, config);
    tableServiceClient.close();
    tableServiceClient = new MergingTableServiceClient<T>(context, config, merge);
  }
}
