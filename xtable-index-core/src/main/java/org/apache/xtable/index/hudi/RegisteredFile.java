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

import java.io.Serializable;
import org.apache.hudi.common.util.ExternalFilePathUtil;

/**
 * A data file as the index' Hudi table registers it.
 *
 * <p>Immutable.
 */
public final class RegisteredFile implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String relativePath;
  private final long bytes;
  private final long rows;

  public RegisteredFile(String relativePath, long bytes, long rows) {
    this.relativePath = relativePath;
    this.bytes = bytes;
    this.rows = rows;
  }

  String relativePath() {
    return relativePath;
  }

  String externalPath(String buildInstant) {
    return externalPath(relativePath, buildInstant);
  }

  /**
   * The path by which Hudi registers a file that it did not write.
   *
   * @param buildInstant the instant of the index' build, whichever sync registers the file: so the
   *     path of a file that is gone is known without looking for it. Readers take it for the time
   *     since when the file is valid, but which files there are they learn from the metadata table
   */
  static String externalPath(String relativePath, String buildInstant) {
    int slash = relativePath.lastIndexOf('/');
    String folder = slash < 0 ? "" : relativePath.substring(0, slash);
    String name = relativePath.substring(slash + 1);
    String external =
        ExternalFilePathUtil.appendCommitTimeAndExternalFileMarker(name, buildInstant, folder);
    return slash < 0 ? external : folder + "/" + external;
  }

  long bytes() {
    return bytes;
  }

  long rows() {
    return rows;
  }
}
