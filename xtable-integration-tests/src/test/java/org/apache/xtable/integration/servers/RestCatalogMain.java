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
package org.apache.xtable.integration.servers;

import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/**
 * Iceberg's REST catalog on the loopback address; its own server listens at all addresses.
 * Argument: the warehouse.
 */
public final class RestCatalogMain {
  private RestCatalogMain() {}

  public static void main(String[] args) throws Exception {
    Catalog tables =
        CatalogUtil.buildIcebergCatalog(
            "rest",
            Map.of(
                "catalog-impl", "org.apache.iceberg.jdbc.JdbcCatalog",
                "uri", "jdbc:sqlite::memory:",
                "jdbc.schema-version", "V1",
                "warehouse", args[0]),
            new Configuration());
    ServletContextHandler context = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
    context.addServlet(
        new ServletHolder(new RESTCatalogServlet(new RESTCatalogAdapter(tables))), "/*");
    Server server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(context);
    server.start();
    org.apache.xtable.integration.servers.Server.serve(
        ((ServerConnector) server.getConnectors()[0]).getLocalPort());
  }
}
