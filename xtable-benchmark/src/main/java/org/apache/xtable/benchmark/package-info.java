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

/**
 * The benchmark: measures the index against plain Iceberg, Parquet bloom filters, Hudi's own reader
 * and builder, and against the best that any index could do.
 *
 * <p>{@link org.apache.xtable.benchmark.Benchmark} starts one JVM a part; each part writes its
 * section as JSON, and the sections become one report. Nothing here fails because something took
 * long: it fails where contestants do not give the same answer.
 */
package org.apache.xtable.benchmark;
