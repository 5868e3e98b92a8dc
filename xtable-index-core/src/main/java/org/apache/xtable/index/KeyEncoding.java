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

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The form of a key in the index: a string of chars below U+D800 only, one for each value.
 *
 * <p>Why: Hudi 1.2.0 sorts index entries as Java strings, by UTF-16 code unit, while its HFile
 * reader seeks by UTF-8 bytes. The two orders differ only where a string has surrogates (U+D800 to
 * U+DFFF, that is any character above U+FFFF) next to U+E000 and above; there, lookups of stored
 * keys silently find nothing. Without chars from U+D800 on the orders are the same.
 *
 * <p>Form:
 *
 * <ul>
 *   <li>int and bigint: decimal digits with a leading {@code -} where negative, so that a column
 *       widened from int to bigint keeps its keys;
 *   <li>string: each UTF-16 code unit stands for itself, but the escape char U+D7FF and all units
 *       from U+D800 on, which become U+D7FF followed by two chars: U+0100 + (unit &gt;&gt; 8) and
 *       U+0100 + (unit &amp; 0xFF).
 * </ul>
 *
 * <p>A key whose form would be longer than {@value #MAX_WHOLE_CHARS} chars is its first {@value
 * #DIGEST_PREFIX_CHARS} chars, U+D7FF, U+0200 and the SHA-256 of the value (of its UTF-16BE bytes,
 * as 64 hex digits): the HFiles that hold the index take keys of up to 32 kB only.
 *
 * <p>U+D7FF is not assigned to a character, so text grows only where it has surrogates, private-use
 * chars, compatibility forms (such as full-width letters) or U+FFFD. The form is injective: an
 * escape is always three chars, and no unescaped char equals the escape char. The empty string is
 * the empty key.
 *
 * <p>Hudi escapes {@code $}, {@code \} and NUL by itself ({@code
 * SecondaryIndexKeyUtils.escapeSpecialChars}).
 */
public final class KeyEncoding {
  /** The greatest length, in chars, of a key that holds all of its value. */
  public static final int MAX_WHOLE_CHARS = 1024;

  private static final int DIGEST_PREFIX_CHARS = 512;
  private static final char DIGEST_MARK = '\u0200';
  private static final char ESCAPE = '\uD7FF';
  private static final int BYTE_OFFSET = 0x100;

  private KeyEncoding() {}

  /**
   * The key of a value.
   *
   * @param value a {@link CharSequence}, {@link Integer} or {@link Long}; not null
   * @throws IllegalArgumentException for a value of another type
   */
  public static String encode(Object value) {
    if (value instanceof CharSequence) {
      String text = value.toString();
      String key = encodeString(text);
      return key.length() <= MAX_WHOLE_CHARS ? key : digest(key, text);
    }
    if (value instanceof Integer || value instanceof Long) {
      return value.toString();
    }
    throw new IllegalArgumentException(
        "Cannot encode key: expected a string, int or bigint but got "
            + (value == null ? "null" : value.getClass().getName()));
  }

  private static String encodeString(String value) {
    int plain = 0;
    while (plain < value.length() && value.charAt(plain) < ESCAPE) {
      plain++;
    }
    if (plain == value.length()) {
      return value;
    }
    StringBuilder key = new StringBuilder(value.length() + 16).append(value, 0, plain);
    for (int i = plain; i < value.length(); i++) {
      char unit = value.charAt(i);
      if (unit < ESCAPE) {
        key.append(unit);
      } else {
        key.append(ESCAPE)
            .append((char) (BYTE_OFFSET + (unit >> 8)))
            .append((char) (BYTE_OFFSET + (unit & 0xFF)));
      }
    }
    return key.toString();
  }

  private static String digest(String key, String value) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_16BE));
      return String.format(
          "%s%c%c%064x",
          key.substring(0, DIGEST_PREFIX_CHARS), ESCAPE, DIGEST_MARK, new BigInteger(1, hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Cannot encode key: this Java has no SHA-256", e);
    }
  }
}
