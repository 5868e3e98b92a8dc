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
package org.apache.xtable.index.sync;

/** A flat JSON object on one line. */
final class JsonLine {
  private final StringBuilder json = new StringBuilder("{");

  JsonLine add(String name, Number value) {
    return raw(name, value == null ? "null" : value.toString());
  }

  JsonLine add(String name, String value) {
    return raw(name, value == null ? "null" : quoted(value));
  }

  private JsonLine raw(String name, String value) {
    if (json.length() > 1) {
      json.append(',');
    }
    json.append(quoted(name)).append(':').append(value);
    return this;
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit == '"' || unit == '\\') {
        quoted.append('\\').append(unit);
      } else if (unit < ' ' || unit > '~') {
        quoted.append(String.format("\\u%04x", (int) unit));
      } else {
        quoted.append(unit);
      }
    }
    return quoted.append('"').toString();
  }

  @Override
  public String toString() {
    return json + "}";
  }
}
