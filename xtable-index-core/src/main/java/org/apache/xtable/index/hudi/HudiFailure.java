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

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.avro.InvalidAvroMagicException;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.xtable.index.DamagedIndexException;
import org.apache.xtable.index.IndexException;

/** Tells from a failed read of Hudi's own files whether they are damaged. */
final class HudiFailure {
  private HudiFailure() {}

  /**
   * @param what what cannot be done, as a clause for messages
   * @return a {@link DamagedIndexException} unless storage itself refused: then trying again later
   *     may help, and building the index anew would lose what may be good
   */
  static IndexException of(String what, Throwable failure) {
    String message = what + ": " + failure.getMessage();
    return isDamage(failure)
        ? new DamagedIndexException(message, failure)
        : new IndexException(message, failure);
  }

  private static boolean isDamage(Throwable failure) {
    boolean refused = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FileNotFoundException
          || cause instanceof EOFException
          || cause instanceof ChecksumException
          || cause instanceof JsonProcessingException
          || cause instanceof InvalidAvroMagicException
          || cause instanceof DamagedIndexException) {
        return true;
      }
      refused |= cause instanceof IOException;
    }
    return !refused;
  }
}
