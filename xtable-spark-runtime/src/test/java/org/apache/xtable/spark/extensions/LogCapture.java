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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/**
 * What a package logs at INFO and above, while open. Open it after the session: the first one of a
 * JVM replaces the log configuration.
 */
public final class LogCapture implements AutoCloseable {
  private final String logger;
  private final List<LogEvent> events = new CopyOnWriteArrayList<>();

  /** Of the query side. */
  LogCapture() {
    this(LogCapture.class.getPackageName());
  }

  public LogCapture(String logger) {
    this.logger = logger;
    LoggerConfig config = new LoggerConfig(logger, Level.INFO, false);
    config.addAppender(new Collector(events), Level.INFO, null);
    configuration().addLogger(logger, config);
    context().updateLoggers();
  }

  public List<LogEvent> events() {
    return events;
  }

  @Override
  public void close() {
    configuration().removeLogger(logger);
    context().updateLoggers();
  }

  private static LoggerContext context() {
    return (LoggerContext) LogManager.getContext(false);
  }

  private static Configuration configuration() {
    return context().getConfiguration();
  }

  private static final class Collector extends AbstractAppender {
    private final List<LogEvent> events;

    Collector(List<LogEvent> events) {
      super("capture", null, null, false, Property.EMPTY_ARRAY);
      this.events = events;
      start();
    }

    @Override
    public void append(LogEvent event) {
      events.add(event.toImmutable());
    }
  }
}
