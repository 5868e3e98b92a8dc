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
 * The quickstart: generates a table, indexes one of its columns and compares queries with and
 * without the index.
 *
 * <p>{@link org.apache.xtable.quickstart.Quickstart} starts one JVM a step, each with the class
 * path that a user's Spark would have. Nothing here depends on a class of XTable Index: what a user
 * can reach by configuration is all that is used.
 */
package org.apache.xtable.quickstart;
