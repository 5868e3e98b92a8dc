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
package org.apache.xtable.quickstart;

import java.util.Objects;

/** The quickstart's table: where it is, how large, what it is called. */
final class Customers {
  static final String CATALOG = "quickstart";
  static final String NAMESPACE = "tpcds";
  static final String TABLE = "customer";
  static final String IDENTIFIER = CATALOG + "." + NAMESPACE + "." + TABLE;
  static final String INDEXED_COLUMN = "c_email_address";

  /** Customers of a TPC-DS database of scale 10. */
  static final int ROWS = 500_000;

  static final double SCALE = 10;
  static final int FILES = 200;

  private final String warehouse;

  /**
   * @param warehouse URI of the folder of the Hadoop catalog
   */
  Customers(String warehouse) {
    String location = Objects.requireNonNull(warehouse, "warehouse is null");
    this.warehouse =
        location.endsWith("/") ? location.substring(0, location.length() - 1) : location;
  }

  String warehouse() {
    return warehouse;
  }

  String tableLocation() {
    return warehouse + "/" + NAMESPACE + "/" + TABLE;
  }
}
