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
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.engine.HoodieLocalEngineContext;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.util.ExternalFilePathUtil;
import org.apache.hudi.metadata.HoodieBackedTableMetadata;

/** The files that an index covers, as the metadata table lists them. */
final class RegisteredFiles {
  private RegisteredFiles() {}

  /**
   * Relative paths of the files that were registered and are not gone since.
   *
   * @throws org.apache.xtable.index.IndexException if the listing cannot be read
   */
  static Set<String> live(HoodieTableMetaClient metaClient) {
    try (HoodieBackedTableMetadata metadata =
        new HoodieBackedTableMetadata(
            new HoodieLocalEngineContext(metaClient.getStorageConf()),
            metaClient.getStorage(),
            HoodieMetadataConfig.newBuilder().enable(true).build(),
            metaClient.getBasePath().toString())) {
      return metadata.getAllFilesInPartition(metaClient.getBasePath()).stream()
          .map(file -> relativePath(file.getPath().getName()))
          .collect(Collectors.toSet());
    } catch (IOException | RuntimeException e) {
      throw HudiFailure.of(
          "Cannot read which files the index covers below " + metaClient.getBasePath(), e);
    }
  }

  private static String relativePath(String externalName) {
    return ExternalFilePathUtil.parseFileIdAndCommitTimeFromExternalFile(externalName)[0];
  }
}
