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
import java.io.UncheckedIOException;
import java.util.Properties;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.avro.HoodieAvroUtils;
import org.apache.hudi.avro.model.HoodieMetadataRecord;
import org.apache.hudi.metadata.HoodieMetadataPayload;

/**
 * The value of an index entry: Hudi's metadata record in Avro, with its key left empty as in all
 * HFiles of Hudi. All entries have the same.
 */
final class EntryValue {
  /**
   * The size, uncompressed, at which a block of entries ends: what one lookup reads and unpacks.
   * Smaller ones pack less well and make the file larger, by 14 % from 64 KiB to this, and a lookup
   * of very many keys faster, by a factor of five.
   */
  static final int BLOCK_BYTES = 8 * 1024;

  private EntryValue() {}

  static String schema() {
    return HoodieMetadataRecord.getClassSchema().toString();
  }

  static byte[] bytes() {
    HoodieMetadataPayload payload =
        HoodieMetadataPayload.createSecondaryIndexRecord("", "", "", false).getData();
    try {
      IndexedRecord record =
          payload.getInsertValue(HoodieMetadataRecord.getClassSchema(), new Properties()).get();
      record.put(record.getSchema().getField(HoodieMetadataPayload.KEY_FIELD_NAME).pos(), "");
      return HoodieAvroUtils.avroToBytes(record);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot make the value of index entries", e);
    }
  }
}
