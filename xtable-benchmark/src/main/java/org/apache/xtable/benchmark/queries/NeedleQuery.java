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
package org.apache.xtable.benchmark.queries;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/**
 * A query for keys, maybe in one partition only.
 *
 * <p>Immutable.
 */
final class NeedleQuery {
  private final long[] keyNumbers;
  private final List<String> keys;
  private final Optional<Integer> partition;

  private NeedleQuery(long[] keyNumbers, List<String> keys, Optional<Integer> partition) {
    this.keyNumbers = keyNumbers;
    this.keys = keys;
    this.partition = partition;
  }

  static NeedleQuery in(NeedleTables tables, int count, long seed) {
    long[] numbers =
        new Random(seed)
            .longs(0, tables.distinctKeys())
            .distinct()
            .limit(Math.min(count, tables.distinctKeys()))
            .toArray();
    return new NeedleQuery(
        numbers,
        Arrays.stream(numbers).mapToObj(n -> key(Long.toString(n))).collect(Collectors.toList()),
        Optional.empty());
  }

  static NeedleQuery miss(long seed) {
    return new NeedleQuery(new long[0], List.of(key("miss " + seed)), Optional.empty());
  }

  /** The first of these keys, in one partition that has it. */
  NeedleQuery inItsPartition(NeedleTables tables) {
    return new NeedleQuery(keyNumbers, keys, Optional.of(tables.partitionOf(keyNumbers[0])));
  }

  private static String key(String number) {
    return DigestUtils.sha1Hex(number.getBytes(StandardCharsets.UTF_8));
  }

  /** The numbers of the keys that the tables have. */
  long[] keyNumbers() {
    return keyNumbers;
  }

  List<String> keys() {
    return keys;
  }

  Dataset<Row> of(Dataset<Row> table) {
    Column key = functions.col(NeedleTables.KEY);
    Column condition =
        keys.size() == 1 ? key.equalTo(keys.get(0)) : key.isin(keys.toArray(new Object[0]));
    if (partition.isPresent()) {
      condition = condition.and(functions.col(NeedleTables.PARTITION).equalTo(partition.get()));
    }
    return table.filter(condition);
  }

  /** The same, as Iceberg plans it. */
  Expression expression() {
    Expression condition = Expressions.in(NeedleTables.KEY, keys);
    return partition.isPresent()
        ? Expressions.and(condition, Expressions.equal(NeedleTables.PARTITION, partition.get()))
        : condition;
  }
}
