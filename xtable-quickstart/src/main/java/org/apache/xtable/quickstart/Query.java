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

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** A query of the quickstart, with the name that the report gives it. */
final class Query {
  private static final int NAMED_CUSTOMERS = 20;
  private static final String SELECT =
      "SELECT c_customer_sk, c_first_name, c_last_name, c_email_address FROM "
          + Customers.IDENTIFIER
          + " WHERE ";

  private final String name;
  private final Function<SparkSession, Dataset<Row>> reader;

  private Query(String name, Function<SparkSession, Dataset<Row>> reader) {
    this.name = Objects.requireNonNull(name, "name is null");
    this.reader = Objects.requireNonNull(reader, "reader is null");
  }

  String name() {
    return name;
  }

  /** Analyses the query anew, so that it is planned under the settings of now. */
  Dataset<Row> in(SparkSession spark) {
    return reader.apply(spark);
  }

  /** The queries, on e-mail addresses taken from the table. */
  static List<Query> all(SparkSession spark) {
    List<Row> customers = someCustomers(spark);
    String email = customers.get(0).getString(0);
    int birthYear = customers.get(0).getInt(1);
    String emails =
        customers.stream().map(row -> literal(row.getString(0))).collect(Collectors.joining(", "));
    return List.of(
        sql("one e-mail", "c_email_address = " + literal(email)),
        sql("IN of " + customers.size(), "c_email_address IN (" + emails + ")"),
        sql("a miss", "c_email_address = 'Nobody@example.com'"),
        sql(
            "e-mail AND year",
            "c_email_address = " + literal(email) + " AND c_birth_year >= " + birthYear),
        new Query(
            "DataFrame read",
            session ->
                session
                    .read()
                    .format("iceberg")
                    .load(Customers.IDENTIFIER)
                    .filter(functions.col(Customers.INDEXED_COLUMN).equalTo(email))));
  }

  private static Query sql(String name, String condition) {
    return new Query(name, session -> session.sql(SELECT + condition));
  }

  private static List<Row> someCustomers(SparkSession spark) {
    return spark
        .table(Customers.IDENTIFIER)
        .filter("c_email_address IS NOT NULL AND c_birth_year IS NOT NULL")
        .filter("c_customer_sk % " + Customers.ROWS / (2 * NAMED_CUSTOMERS) + " = 1")
        .orderBy("c_customer_sk")
        .select("c_email_address", "c_birth_year")
        .limit(NAMED_CUSTOMERS)
        .collectAsList();
  }

  private static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
