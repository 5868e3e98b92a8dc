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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** C8, C23: each value has one key of its own, and keys have one order. */
class KeyEncodingTest {
  private static final int[] EDGES = {
    0, 1, '$', '\\', '_', ' ', '~', 0x7F, 0x80, 0xFF, 0x100, 0x1FF, 0x200, 0x7FF, 0x800, 0xD7FE,
    0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xF8FF, 0xFB01, 0xFEFF, 0xFF21, 0xFFFD, 0xFFFE,
    0xFFFF, 0x10000, 0x1F600, 0xE0001, 0x10FFFF
  };

  @Test
  void textOfCommonScriptsStaysAsItIs() {
    for (String text : List.of("", "a", "Straße", "дом", "数据", "שלום", "$\\\u0000 x")) {
      assertThat(KeyEncoding.encode(text)).isEqualTo(text);
    }
  }

  @Test
  void everyUnitFromTheEscapeOnIsEscapedAndNoOther() {
    for (int unit = 0; unit <= 0xFFFF; unit++) {
      String key = KeyEncoding.encode(String.valueOf((char) unit));
      assertThat(key.chars().allMatch(c -> c < 0xD800)).as("unit %x", unit).isTrue();
      assertThat(key).as("unit %x", unit).hasSize(unit < 0xD7FF ? 1 : 3);
    }
  }

  @Test
  void numbersOfBothWidthsHaveTheSameKey() {
    assertThat(KeyEncoding.encode(-7)).isEqualTo(KeyEncoding.encode(-7L)).isEqualTo("-7");
    assertThat(KeyEncoding.encode(Integer.MIN_VALUE)).isEqualTo("-2147483648");
    assertThat(KeyEncoding.encode(Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(KeyEncoding.encode(0)).isEqualTo("0");
  }

  @Test
  void anyCharSequenceIsText() {
    assertThat(KeyEncoding.encode(new StringBuilder("a\uFF21"))).isEqualTo(encode("a\uFF21"));
  }

  @Test
  void otherTypesAreRefused() {
    assertThatThrownBy(() -> KeyEncoding.encode(1.0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot encode key: expected a string, int or bigint but got java.lang.Double");
    assertThatThrownBy(() -> KeyEncoding.encode(null)).hasMessageContaining("null");
  }

  @Test
  void differentTextHasDifferentKeys() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, String> textByKey = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      String text = randomText(random);
      String before = textByKey.put(encode(text), text);
      assertThat(before == null || before.equals(text)).as("seed %d", seed).isTrue();
    }
  }

  @Test
  void textThatLooksEncodedIsNotTakenForWhatItLooksLike() {
    for (int edge : EDGES) {
      String text = text(edge);
      String key = encode(text);
      if (!key.equals(text)) {
        assertThat(encode(key)).as("unit %x", edge).isNotEqualTo(key);
      }
    }
  }

  @Test
  void keysHaveTheSameOrderAsStringsAndAsBytes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      keys.add(encode(randomText(random)));
    }
    keys.sort(null);
    for (int i = 1; i < keys.size(); i++) {
      assertThat(Arrays.compareUnsigned(utf8(keys.get(i - 1)), utf8(keys.get(i))))
          .as("seed %d, key %d", seed, i)
          .isLessThanOrEqualTo(0);
    }
  }

  @Test
  void keysSurviveUtf8() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      String key = encode(randomText(random));
      assertThat(new String(utf8(key), StandardCharsets.UTF_8)).as("seed %d", seed).isEqualTo(key);
    }
  }

  private static String randomText(Random random) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(5); length > 0; length--) {
      boolean edge = random.nextBoolean();
      text.append(
          edge
              ? text(EDGES[random.nextInt(EDGES.length)])
              : String.valueOf((char) random.nextInt(0x10000)));
    }
    return text.toString();
  }

  private static String text(int codePoint) {
    return new String(Character.toChars(codePoint));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String encode(String text) {
    return KeyEncoding.encode(text);
  }
}
