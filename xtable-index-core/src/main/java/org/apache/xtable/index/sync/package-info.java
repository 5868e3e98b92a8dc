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
 * What a sync is asked to do, what it decides to do, and what it says that it did.
 *
 * <p>{@link org.apache.xtable.index.sync.DatasetConfig} and {@link
 * org.apache.xtable.index.sync.IcebergCatalogConfig} come from YAML; a wrong file is refused with
 * all its errors and their places before anything is done. {@link
 * org.apache.xtable.index.sync.SyncPlanner} compares table and index and makes a {@link
 * org.apache.xtable.index.sync.SyncPlan}: nothing, a first build, an increment or a rebuild, and
 * why. Whoever carries it out makes a {@link org.apache.xtable.index.sync.TableSyncReport}.
 */
package org.apache.xtable.index.sync;
