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
package org.apache.xtable.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C4: the state is stored with the commit that it belongs to. */
class SyncedStateTest {
  private static final SyncedState STATE = state(KeyType.STRING);

  private static SyncedState state(KeyType type) {
    IndexedColumn column = new IndexedColumn("a.b 数", 7, type);
    return new SyncedState("uuid", Long.MIN_VALUE + 1, 3, column, 40, 30, 2, 10);
  }

  @ParameterizedTest
  @EnumSource(KeyType.class)
  void propertiesHoldAllOfIt(KeyType type) {
    SyncedState read = SyncedState.fromProperties(state(type).toProperties());
    assertThat(read.tableUuid()).isEqualTo("uuid");
    assertThat(read.snapshotId()).isEqualTo(Long.MIN_VALUE + 1);
    assertThat(read.schemaId()).isEqualTo(3);
    assertThat(read.column()).isEqualTo(new IndexedColumn("a.b 数", 7, type));
    assertThat(read.entries()).isEqualTo(40);
    assertThat(read.indexedRows()).isEqualTo(30);
    assertThat(read.liveFiles()).isEqualTo(2);
    assertThat(read.liveRows()).isEqualTo(10);
  }

  @Test
  void everyPropertyIsNeededAndItsLackIsNamed() {
    for (String key : STATE.toProperties().keySet()) {
      Map<String, String> properties = new HashMap<>(STATE.toProperties());
      properties.remove(key);
      assertThatThrownBy(() -> SyncedState.fromProperties(properties))
          .isInstanceOf(IndexException.class)
          .hasMessageContaining(key);
    }
  }

  @Test
  void wrongPropertiesAreNamed() {
    assertThatThrownBy(() -> SyncedState.fromProperties(with("xtable.index.snapshot-id", "x")))
        .hasMessage("Cannot read index: xtable.index.snapshot-id is 'x', not a number");
    assertThatThrownBy(() -> SyncedState.fromProperties(with("xtable.index.column.type", "DATE")))
        .hasMessage(
            "Cannot read index: xtable.index.column.type is 'DATE', not one of string, int, bigint");
  }

  @Test
  void newerFormIsRefusedWithAWayOut() {
    assertThatThrownBy(() -> SyncedState.fromProperties(with("xtable.index.format-version", "2")))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("format version is 2")
        .hasMessageContaining("delete the .hoodie folder");
  }

  @Test
  void propertiesOfOtherCommitsHoldNoState() {
    assertThat(SyncedState.isIn(Map.of("schema", "{}"))).isFalse();
    assertThat(SyncedState.isIn(STATE.toProperties())).isTrue();
  }

  private static Map<String, String> with(String key, String value) {
    Map<String, String> properties = new HashMap<>(STATE.toProperties());
    properties.put(key, value);
    return properties;
  }
}
