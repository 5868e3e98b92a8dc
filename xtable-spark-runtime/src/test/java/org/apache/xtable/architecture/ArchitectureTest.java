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
package org.apache.xtable.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Which part may know which: {@code docs/architecture.md} tells why.
 *
 * <p>Rules about a package that has no class pass, so that a package can be moved or go.
 */
class ArchitectureTest {
  private static JavaClasses classes;

  private static final String[] HUDI_ROOMS = {
    "org.apache.xtable.index.hudi..", "org.apache.hudi.metadata.."
  };
  private static final String ICEBERG_BRIDGE = "org.apache.iceberg.spark.source..";

  @BeforeAll
  static void importClasses() {
    classes =
        new ClassFileImporter()
            .withImportOption(new OurMainClasses())
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(
                "org.apache.xtable", "org.apache.iceberg.spark.source", "org.apache.hudi.metadata");
  }

  @Test
  void onlyTheHudiPackageAndItsBridgeKnowHudi() {
    noClasses()
        .that()
        .resideOutsideOfPackages(HUDI_ROOMS)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hudi..")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void theHudiBridgeIsKnownToTheHudiPackageOnly() {
    classes()
        .that()
        .resideInAPackage("org.apache.hudi.metadata..")
        .should()
        .onlyHaveDependentClassesThat()
        .resideInAnyPackage(HUDI_ROOMS)
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void theIcebergBridgeIsKnownToTheExtensionsOnly() {
    classes()
        .that()
        .resideInAPackage(ICEBERG_BRIDGE)
        .should()
        .onlyHaveDependentClassesThat()
        .resideInAnyPackage(ICEBERG_BRIDGE, "org.apache.xtable.spark.extensions..")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void theIndexDoesNotKnowTheSparkRuntime() {
    noClasses()
        .that()
        .resideInAnyPackage("org.apache.xtable.index..", "org.apache.hudi.metadata..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.xtable.spark..", "org.apache.xtable.utilities..", ICEBERG_BRIDGE)
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void whatAnIndexIsDoesNotKnowHowItIsStoredOrBuilt() {
    noClasses()
        .that()
        .resideInAPackage("org.apache.xtable.index")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.xtable.index.hudi..",
            "org.apache.xtable.index.iceberg..",
            "org.apache.xtable.index.sync..")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void ofSparkTheIndexKnowsOnlyWhatHudisWriterIsGiven() {
    noClasses()
        .that()
        .resideInAnyPackage("org.apache.xtable.index..", "org.apache.hudi.metadata..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.apache.spark..")
                .and(
                    not(
                        resideInAnyPackage(
                            "org.apache.spark.api.java..", "org.apache.spark.rdd.."))))
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void onlyTheHudiPackageOfTheIndexKnowsSparkAtAll() {
    noClasses()
        .that()
        .resideInAPackage("org.apache.xtable.index..")
        .and()
        .resideOutsideOfPackage("org.apache.xtable.index.hudi..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.spark..")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void readingDoesNotKnowWriting() {
    noClasses()
        .that()
        .resideInAnyPackage("org.apache.xtable.spark.extensions..", ICEBERG_BRIDGE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.xtable.spark",
            "org.apache.xtable.index.sync..",
            "org.apache.xtable.utilities..")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void packagesHaveNoCycles() {
    slices()
        .matching("org.apache.xtable.(**)")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void nothingNamesTheShadedClassesOfTheIcebergBundle() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.iceberg.shaded..")
        .because("unshaded Iceberg jars do not have them")
        .check(classes);
  }

  @Test
  void classesAreNamedByANoun() {
    noClasses()
        .should()
        .haveNameMatching(".*(Util|Utils|Helper|Helpers|Manager|Impl|Common)")
        .because("such a name tells nothing of what the class is")
        .check(classes);
  }

  /** Guards the other rules, which pass when nothing was imported. */
  @Test
  void theImportFindsTheCore() {
    classes()
        .that()
        .haveFullyQualifiedName("org.apache.xtable.index.SecondaryIndex")
        .should()
        .beInterfaces()
        .check(classes);
  }
}
