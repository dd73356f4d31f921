package dev.binnacle.junit;

import static dev.binnacle.junit.Testdata.create;
import static dev.binnacle.junit.Testdata.names;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Binnacle(crds = "src/test/resources/crds")
class BinnacleExtensionTest {
  private static BinnacleServer ofClass;
  private static final Set<String> URLS = ConcurrentHashMap.newKeySet();
  private final BinnacleServer ofConstructor;
  private BinnacleServer ofBeforeEach;

  BinnacleExtensionTest(BinnacleServer server) {
    ofConstructor = server;
  }

  @BeforeAll
  static void prepare(BinnacleServer server, KubernetesClient client) {
    ofClass = server;
    create(client, "prepared");
  }

  @BeforeEach
  void before(BinnacleServer server) {
    ofBeforeEach = server;
  }

  @AfterEach
  void after(BinnacleServer server) {
    assertSame(ofBeforeEach, server);
  }

  @Test
  void aTestHasOneServer(BinnacleServer server, KubernetesClient client, BinnacleServer again) {
    assertSame(ofConstructor, server);
    assertSame(ofBeforeEach, server);
    assertSame(again, server);
    assertNotEquals(ofClass.url(), server.url());
    assertEquals(server.url() + "/", client.getMasterUrl().toString());
  }

  @RepeatedTest(2)
  void eachRepetitionHasItsOwn(BinnacleServer server, KubernetesClient client) {
    assertEquals(true, URLS.add(server.url()));
    assertEquals(List.of("prepared"), names(client));
    create(client, "own");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void parametersMix(String name, KubernetesClient client) {
    create(client, name);
    assertEquals(List.of(name, "prepared"), names(client));
  }

  @Test
  void theOfficialClient(ApiClient client, KubernetesClient other) throws Exception {
    var api = new CoreV1Api(client);
    var map = new V1ConfigMap().metadata(new V1ObjectMeta().name("official"));
    assertNotNull(api.createNamespacedConfigMap("default", map).execute().getMetadata().getUid());
    assertEquals(List.of("official", "prepared"), names(other));
  }

  @Test
  void definitionsAreInstalled(KubernetesClient client) {
    assertEquals(List.of(), client.genericKubernetesResources("example.com/v1", "Buoy").list().getItems());
  }

  @Nested
  class Inside {
    @BeforeEach
    void before(KubernetesClient client) {
      create(client, "inside");
    }

    @Test
    void theClassAroundIsForked(KubernetesClient client) {
      assertEquals(List.of("inside", "prepared"), names(client));
    }
  }

  @Nested
  @Binnacle
  class WithAnotherAnnotation {
    @Test
    void nothingIsForkedFromTheClassAround(KubernetesClient client) {
      assertEquals(List.of(), names(client));
    }
  }

  @Retention(RetentionPolicy.RUNTIME)
  @Binnacle(controllers = "*", nodes = 1, flags = "--v=4")
  @interface WithNodes {}

  @Nested
  @WithNodes
  class WithAnAnnotationOfTheProject {
    @Test
    void itsOptionsCount(KubernetesClient client) {
      client.nodes().withName("node-0")
          .waitUntilCondition(node -> node != null, 30, TimeUnit.SECONDS);
    }
  }

  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @Binnacle
  class WithOneInstance {
    private final BinnacleServer ofClass;

    WithOneInstance(BinnacleServer server) {
      ofClass = server;
    }

    @Test
    void theConstructorGetsTheServerOfTheClass(BinnacleServer server) {
      assertNotEquals(ofClass.url(), server.url());
    }
  }
}
