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
