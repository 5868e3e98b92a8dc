/**
 * Builds and keeps indexes with Spark.
 *
 * <p>{@link org.apache.xtable.spark.XTableSync} is the API for a running job, {@link
 * org.apache.xtable.spark.XTableSparkSync} the main class for {@code spark-submit}.
 */
package org.apache.xtable.spark;
