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
package org.apache.xtable.spark;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.xtable.index.IndexException;
import org.junit.jupiter.api.Test;

/** C1: a forgotten jar is named before anything is done. */
class RequiredJarsTest {
  @Test
  void allAreThere() {
    assertThatCode(RequiredJars::check).doesNotThrowAnyException();
  }

  @Test
  void missingOnesAreNamed() {
    assertThatThrownBy(() -> RequiredJars.check(ClassLoader.getPlatformClassLoader()))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("iceberg-spark-runtime-3.5_2.12")
        .hasMessageContaining("hudi-spark3.5-bundle_2.12");
  }

  @Test
  void olderHudiIsRefused() {
    ClassLoader withoutSchema =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("org.apache.hudi.common.schema.HoodieSchema")) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    assertThatThrownBy(() -> RequiredJars.check(withoutSchema))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining("a Hudi Spark bundle of version 1.2.0 or newer");
  }
}
