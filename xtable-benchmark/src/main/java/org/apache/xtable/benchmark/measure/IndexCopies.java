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
package org.apache.xtable.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.commons.io.FileUtils;
import org.apache.xtable.index.DataPath;

/**
 * Copies of an index as it was at two moments, each below a folder that stands for the data path.
 * An index names files by their path relative to it, so a copy answers as the index did.
 */
public enum IndexCopies {
  /** Right after a build. */
  COMPACTED("compacted"),
  /** After three more syncs, none of which has been compacted. */
  THREE_SYNCS_MORE("three syncs more");

  private final String title;

  IndexCopies(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  public void takeFrom(KeyTable table) throws IOException {
    Path copy = folder().resolve(DataPath.INDEX_FOLDER);
    Files.createDirectories(folder());
    FileUtils.copyDirectory(table.indexFolder().toFile(), copy.toFile());
  }

  /** The data path to find the copy at. */
  public String dataPath() {
    return folder().toUri().toString();
  }

  private Path folder() {
    return Sizes.directory().resolve("index-copies").resolve(name().toLowerCase(Locale.ROOT));
  }
}
