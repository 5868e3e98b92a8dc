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
package org.apache.xtable.index;

import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;

/**
 * The folder that holds a table's data files, and below which the index lives in {@code .hoodie}.
 *
 * <p>Locations are compared without their scheme, so that {@code s3://bucket/t/data/f} is below
 * {@code s3a://bucket/t/data}, but never across buckets or hosts.
 *
 * <p>Immutable.
 */
public final class DataPath implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The folder, below the data path, that holds the index. */
  public static final String INDEX_FOLDER = ".hoodie";

  private final String location;
  private final String prefix;

  /**
   * @param location the folder, with or without scheme and trailing slash
   */
  public DataPath(String location) {
    this.location = stripTrailingSlashes(Objects.requireNonNull(location, "location is null"));
    this.prefix = withoutScheme(this.location) + "/";
  }

  /** The folder as it was given, without trailing slash. */
  public String location() {
    return location;
  }

  /**
   * The path of a file relative to this folder, or empty if the file is not below it.
   *
   * <p>Nothing is decoded or normalised: Iceberg's locations are opaque strings, and the same file
   * always has the same one.
   */
  public Optional<String> relativize(String fileLocation) {
    String path = withoutScheme(fileLocation);
    if (path.length() <= prefix.length() || !path.startsWith(prefix)) {
      return Optional.empty();
    }
    return Optional.of(path.substring(prefix.length()));
  }

  /** The location of a file given by its path relative to this folder. */
  public String resolve(String relativePath) {
    return location + "/" + relativePath;
  }

  /**
   * {@code scheme://authority/path} becomes {@code //authority/path}; a local file has no
   * authority.
   */
  private static String withoutScheme(String location) {
    int colon = location.indexOf(':');
    int slash = location.indexOf('/');
    if (colon <= 0 || (slash >= 0 && slash < colon)) {
      return "//" + location;
    }
    String rest = location.substring(colon + 1);
    return rest.startsWith("//") ? rest : "//" + rest;
  }

  private static String stripTrailingSlashes(String location) {
    int end = location.length();
    while (end > 1 && location.charAt(end - 1) == '/') {
      end--;
    }
    return location.substring(0, end);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DataPath && prefix.equals(((DataPath) other).prefix);
  }

  @Override
  public int hashCode() {
    return prefix.hashCode();
  }

  @Override
  public String toString() {
    return location;
  }
}
