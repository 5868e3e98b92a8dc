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

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.xtable.index.DamagedIndexException;
import org.apache.xtable.index.IndexException;
import org.apache.xtable.index.SyncedState;

/**
 * What the index consists of after one sync: the synced state, and every run of entries by file,
 * offset and length.
 *
 * <p>Readers take the index from here and nowhere else: one small file tells all, however many data
 * files the Hudi table registers, and a file that is missing, cut short or changed is noticed
 * instead of silently lacking entries.
 *
 * <p>Form: UTF-8 lines, fields separated by one space, names and values URL-encoded.
 *
 * <pre>
 * xtable-index-manifest 1
 * build &lt;UUID of the build&gt; &lt;its instant&gt;
 * partition &lt;folder of the index partition in the metadata table&gt;
 * fileGroups &lt;number of file groups&gt;
 * state &lt;key&gt; &lt;value&gt;                              one for each property of {@link SyncedState#toProperties}
 * run &lt;file group&gt; &lt;offset&gt; &lt;length&gt; &lt;file name&gt;     one for each run
 * crc32 &lt;of all bytes before this line, in hex&gt;
 * </pre>
 *
 * <p>Immutable.
 */
final class IndexManifest {
  private static final String HEADER = "xtable-index-manifest 1";
  private static final String CRC = "crc32 ";

  private final String buildId;
  private final String buildInstant;
  private final String partition;
  private final int fileGroups;
  private final SyncedState state;
  private final List<EntryRun> runs;

  IndexManifest(
      String buildId,
      String buildInstant,
      String partition,
      int fileGroups,
      SyncedState state,
      List<EntryRun> runs) {
    this.buildId = buildId;
    this.buildInstant = buildInstant;
    this.partition = partition;
    this.fileGroups = fileGroups;
    this.state = state;
    this.runs = Collections.unmodifiableList(new ArrayList<>(runs));
  }

  /** Tells the index from any other that was built at the same place. */
  String buildId() {
    return buildId;
  }

  /** The instant of the data commit that registered the first files. */
  String buildInstant() {
    return buildInstant;
  }

  /** The folder of the index partition in the metadata table. */
  String partition() {
    return partition;
  }

  int fileGroups() {
    return fileGroups;
  }

  SyncedState state() {
    return state;
  }

  List<EntryRun> runs() {
    return runs;
  }

  byte[] toBytes() {
    StringBuilder text = new StringBuilder(256 + 100 * runs.size());
    line(text, HEADER);
    line(text, "build", buildId, buildInstant);
    line(text, "partition", encode(partition));
    line(text, "fileGroups", Integer.toString(fileGroups));
    state.toProperties().forEach((key, value) -> line(text, "state", encode(key), encode(value)));
    for (EntryRun run : runs) {
      line(
          text,
          "run",
          Integer.toString(run.fileGroup()),
          Long.toString(run.offset()),
          Long.toString(run.length()),
          encode(run.fileName()));
    }
    line(text, CRC + crc(text.toString()));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * @param origin where the bytes are from, for messages
   * @throws IndexException if they are not a whole manifest that this version can read
   */
  static IndexManifest parse(byte[] bytes, String origin) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    int last = text.lastIndexOf("\n" + CRC) + 1;
    if (last == 0 || !text.substring(last).equals(CRC + crc(text.substring(0, last)) + "\n")) {
      throw new DamagedIndexException(
          "Cannot read index: " + origin + " is damaged, its checksum is wrong");
    }
    String[] lines = text.substring(0, last).split("\n");
    if (!lines[0].equals(HEADER)) {
      throw new IndexException(
          String.format(
              "Cannot read index: %s begins with '%s', this version of XTable Index reads '%s';"
                  + " use the version that wrote it, or delete the index and sync again",
              origin, lines[0], HEADER));
    }
    String buildId = null;
    String buildInstant = null;
    String partition = null;
    int fileGroups = 0;
    Map<String, String> state = new LinkedHashMap<>();
    List<EntryRun> runs = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      String[] fields = lines[i].split(" ", -1);
      switch (fields[0]) {
        case "build":
          buildId = fields[1];
          buildInstant = fields[2];
          break;
        case "partition":
          partition = decode(fields[1]);
          break;
        case "fileGroups":
          fileGroups = Integer.parseInt(fields[1]);
          break;
        case "state":
          state.put(decode(fields[1]), decode(fields[2]));
          break;
        case "run":
          runs.add(
              new EntryRun(
                  Integer.parseInt(fields[1]),
                  decode(fields[4]),
                  Long.parseLong(fields[2]),
                  Long.parseLong(fields[3])));
          break;
        default:
          throw new IndexException(
              "Cannot read index: " + origin + " has a line '" + fields[0] + "'");
      }
    }
    return new IndexManifest(
        buildId, buildInstant, partition, fileGroups, SyncedState.fromProperties(state), runs);
  }

  /** The manifest of the sync after this one. */
  IndexManifest next(SyncedState nextState, List<EntryRun> nextRuns) {
    return new IndexManifest(buildId, buildInstant, partition, fileGroups, nextState, nextRuns);
  }

  private static void line(StringBuilder text, String... fields) {
    text.append(String.join(" ", fields)).append('\n');
  }

  private static String crc(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(crc.getValue());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
