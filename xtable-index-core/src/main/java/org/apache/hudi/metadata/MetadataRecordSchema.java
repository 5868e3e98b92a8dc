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

import org.apache.hudi.avro.model.HoodieMetadataRecord;
import org.apache.hudi.common.schema.HoodieSchema;
import org.apache.hudi.common.util.Option;

/** The schema of the records of a metadata table. */
public final class MetadataRecordSchema {
  private MetadataRecordSchema() {}

  /**
   * The schema, interned before anything of Hudi interns another of the same content.
   *
   * <p>When Hudi 1.2.0 writes records it tells the schema by identity: by that of the first one
   * interned in the JVM, which has to be that of {@link HoodieMetadataPayload}. Every log file that
   * is read and every write handle interns one too. Where that was the first, no record can be
   * written for as long as the JVM runs. So this is called where a log file is read, and before a
   * compaction, which may be the first work of an executor.
   */
  public static HoodieSchema intern() {
    new HoodieMetadataPayload(Option.empty()); // initializes its class, which interns the schema
    return HoodieSchema.fromAvroSchema(HoodieMetadataRecord.getClassSchema());
  }
}
