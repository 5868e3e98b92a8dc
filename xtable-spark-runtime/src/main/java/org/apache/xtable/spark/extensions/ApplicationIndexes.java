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
package org.apache.xtable.spark.extensions;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.sql.SparkSession;
import org.apache.xtable.index.DataPath;
import org.apache.xtable.index.SecondaryIndex;
import org.apache.xtable.index.SecondaryIndexes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes that the sessions of one application read. Opened when a query first needs them,
 * closed when the application ends, and given up on for good when classes do not fit together.
 *
 * <p>Thread-safe.
 */
final class ApplicationIndexes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApplicationIndexes.class);

  private final Function<Configuration, SecondaryIndexes> opener;

  /** So many states are remembered as told. */
  private static final int MAX_TOLD = 1000;

  private final Map<String, Boolean> told =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MAX_TOLD;
        }
      }; // guarded by itself

  private final Footers footers = new Footers();

  private volatile boolean usable = true;
  private SecondaryIndexes indexes; // guarded by this

  ApplicationIndexes(Function<Configuration, SecondaryIndexes> opener) {
    this.opener = opener;
  }

  /** False once {@link #giveUp} or {@link #close} was called. */
  boolean isUsable() {
    return usable;
  }

  /**
   * The index that a data path holds now.
   *
   * @throws org.apache.xtable.index.IndexException if it cannot be read
   * @throws LinkageError if the Hudi bundle is missing or does not fit
   */
  Optional<SecondaryIndex> find(SparkSession session, DataPath dataPath) {
    Optional<SecondaryIndexes> opened = open(session);
    return opened.isEmpty() ? Optional.empty() : opened.get().find(dataPath.location());
  }

  private synchronized Optional<SecondaryIndexes> open(SparkSession session) {
    if (!usable) {
      return Optional.empty();
    }
    if (indexes == null) {
      this.indexes = opener.apply(session.sessionState().newHadoopConf());
      session.sparkContext().addSparkListener(new CloseAtEnd(this));
    }
    return Optional.of(indexes);
  }

  /** Reads the row groups of data files. */
  Footers footers() {
    return footers;
  }

  /**
   * Whether a state of an index, that somebody should do something about, is told for the first
   * time. Each scan would repeat it otherwise.
   */
  boolean isNews(String state) {
    synchronized (told) {
      return told.put(state, true) == null;
    }
  }

  /** Leaves all queries alone from now on, and says so once. */
  synchronized void giveUp(LinkageError error) {
    if (usable) {
      LOG.warn(
          "Queries of this application do not use indexes, because classes do not fit together."
              + " Give the XTable Spark runtime, the Iceberg Spark runtime and the Hudi Spark bundle"
              + " in the same way, all in spark.jars or all on the class path, in versions for this"
              + " Spark: {}",
          error.toString(),
          error);
      close();
    }
  }

  @Override
  public synchronized void close() {
    usable = false;
    footers.close();
    if (indexes != null) {
      indexes.close();
      indexes = null;
    }
  }

  private static final class CloseAtEnd extends SparkListener {
    private final ApplicationIndexes indexes;

    CloseAtEnd(ApplicationIndexes indexes) {
      this.indexes = indexes;
    }

    @Override
    public void onApplicationEnd(SparkListenerApplicationEnd end) {
      indexes.close();
    }
  }
}
