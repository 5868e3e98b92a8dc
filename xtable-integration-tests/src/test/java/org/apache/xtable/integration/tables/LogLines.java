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
package org.apache.xtable.integration.tables;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** What loggers print, at level DEBUG and above, until it is closed. */
final class LogLines implements AutoCloseable {
  private final List<String> lines = new ArrayList<>(); // guarded by itself
  private final List<String> loggers;

  LogLines(String... loggers) {
    this.loggers = Arrays.asList(loggers);
    AbstractAppender appender =
        new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            synchronized (lines) {
              lines.add(event.getMessage().getFormattedMessage() + " " + event.getThrown());
            }
          }
        };
    appender.start();
    for (String logger : loggers) {
      LoggerConfig config = new LoggerConfig(logger, Level.DEBUG, false);
      config.addAppender(appender, Level.DEBUG, null);
      configuration().addLogger(logger, config);
    }
    context().updateLoggers();
  }

  private static LoggerContext context() {
    return (LoggerContext) LogManager.getContext(false);
  }

  private static Configuration configuration() {
    return context().getConfiguration();
  }

  List<String> lines() {
    synchronized (lines) {
      return new ArrayList<>(lines);
    }
  }

  @Override
  public void close() {
    loggers.forEach(configuration()::removeLogger);
    context().updateLoggers();
  }
}
