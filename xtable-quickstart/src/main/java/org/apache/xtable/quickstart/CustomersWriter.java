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

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Writes the customers as TPC-DS generates them, one file a Spark task. E-mail addresses come in no
 * order, so every file spans all of them and min/max statistics prune nothing.
 */
public final class CustomersWriter {
  private static final List<String> COLUMNS =
      List.of(
          "c_customer_sk",
          "c_customer_id",
          "c_current_cdemo_sk",
          "c_current_hdemo_sk",
          "c_current_addr_sk",
          "c_first_shipto_date_sk",
          "c_first_sales_date_sk",
          "c_salutation",
          "c_first_name",
          "c_last_name",
          "c_preferred_cust_flag",
          "c_birth_day",
          "c_birth_month",
          "c_birth_year",
          "c_birth_country",
          "c_login",
          "c_email_address",
          "c_last_review_date_sk");

  private static final Set<String> STRINGS =
      Set.of(
          "c_customer_id",
          "c_salutation",
          "c_first_name",
          "c_last_name",
          "c_preferred_cust_flag",
          "c_birth_country",
          "c_login",
          "c_email_address");

  private CustomersWriter() {}

  /**
   * @param args the warehouse
   */
  public static void main(String[] args) throws TableAlreadyExistsException {
    Customers customers = new Customers(args[0]);
    try (SparkSession spark =
            LocalSpark.builder("quickstart: write table", customers).getOrCreate();
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext())) {
      List<Integer> files =
          IntStream.range(0, Customers.FILES).boxed().collect(Collectors.toList());
      JavaRDD<Row> rows =
          context.parallelize(files, Customers.FILES).flatMap(CustomersWriter::rowsOfFile);
      spark
          .createDataFrame(rows, schema())
          .writeTo(Customers.IDENTIFIER)
          .using("iceberg")
          .tableProperty("write.distribution-mode", "none")
          .create();
    }
  }

  private static StructType schema() {
    return new StructType(
        COLUMNS.stream()
            .map(
                name ->
                    DataTypes.createStructField(
                        name,
                        STRINGS.contains(name) ? DataTypes.StringType : DataTypes.IntegerType,
                        true))
            .toArray(StructField[]::new));
  }

  private static Iterator<Row> rowsOfFile(int file) {
    // TPC-DS numbers rows from 1, and both ends belong to the range.
    int rowsPerFile = Customers.ROWS / Customers.FILES;
    long first = (long) file * rowsPerFile + 1;
    long last = first + rowsPerFile - 1;
    Session session =
        Session.getDefaultSession().withScale(Customers.SCALE).withTable(Table.CUSTOMER);
    Results results = Results.constructResults(Table.CUSTOMER, first, last, session);
    return StreamSupport.stream(results.spliterator(), false)
        .map(tables -> row(tables.get(0)))
        .iterator();
  }

  private static Row row(List<String> values) {
    Object[] fields = values.toArray();
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] != null && !STRINGS.contains(COLUMNS.get(i))) {
        fields[i] = Integer.valueOf(values.get(i));
      }
    }
    return RowFactory.create(fields);
  }
}
