package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.binnacle.junit.Binnacle;
import dev.binnacle.junit.BinnacleServer;
import dev.binnacle.junit.Fault;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.javaoperatorsdk.operator.Operator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each test has a server of its own, and an operator that runs against it. */
@Binnacle(crds = "src/test/resources/crds")
class LanternReconcilerTest {
  private Operator operator;

  @BeforeEach
  void start(KubernetesClient client) {
    operator = new Operator(overrides -> overrides.withKubernetesClient(client).withCloseClientOnStop(false));
    operator.register(new LanternReconciler());
    operator.start();
  }

  @AfterEach
  void stop() {
    operator.stop();
  }

  @Test
  void aLanternGetsALamp(KubernetesClient client) {
    create(client, "red");
    waitUntilLit(client);
    var lamp = lamp(client).get();
    assertEquals("red", lamp.getData().get("colour"));
    assertEquals("Lantern", lamp.getMetadata().getOwnerReferences().get(0).getKind());
  }

  @Test
  void aLampThatIsTakenAwayComesBack(KubernetesClient client) {
    create(client, "green");
    waitUntilLit(client);
    var uid = lamp(client).get().getMetadata().getUid();
    lamp(client).delete();
    lamp(client).waitUntilCondition(
        found -> found != null && !found.getMetadata().getUid().equals(uid), 30, TimeUnit.SECONDS);
  }

  @Test
  void conflictsAreSurvived(BinnacleServer server, KubernetesClient client) {
    var conflicts = server.injectFault(Fault.answer(409).verb("create").resource("configmaps").times(2));
    create(client, "blue");
    waitUntilLit(client);
    assertEquals(2, conflicts.hits());
  }

  private static void create(KubernetesClient client, String colour) {
    var lantern = new Lantern();
    lantern.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName("bow").build());
    lantern.setSpec(new Lantern.Spec(colour));
    client.resource(lantern).create();
  }

  private static Resource<ConfigMap> lamp(KubernetesClient client) {
    return client.configMaps().inNamespace("default").withName("bow");
  }

  private static void waitUntilLit(KubernetesClient client) {
    client.resources(Lantern.class).inNamespace("default").withName("bow").waitUntilCondition(
        lantern -> lantern != null && lantern.getStatus() != null && lantern.getStatus().lit(), 30, TimeUnit.SECONDS);
  }
}
