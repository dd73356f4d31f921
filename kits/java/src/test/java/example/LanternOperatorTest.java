package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.binnacle.junit.Binnacle;
import dev.binnacle.junit.BinnacleServer;
import dev.binnacle.junit.Fault;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The example: tests of a small controller, each with a server of its own. */
@Binnacle(crds = "src/test/resources/crds")
class LanternOperatorTest {
  @Test
  void aLanternGetsALamp(KubernetesClient client) {
    try (var operator = new LanternOperator(client)) {
      create(client, "red");
      waitUntilLit(client);
    }
    var lamp = client.configMaps().inNamespace("default").withName("bow").get();
    assertEquals("red", lamp.getData().get("colour"));
  }

  @Test
  void conflictsAreSurvived(BinnacleServer server, KubernetesClient client) {
    var conflicts = server.injectFault(Fault.answer(409).verb("patch").resource("configmaps").times(2));
    try (var operator = new LanternOperator(client)) {
      create(client, "green");
      waitUntilLit(client);
    }
    assertEquals(2, conflicts.hits());
  }

  @Test
  void theSchemaIsObeyed(KubernetesClient client) {
    var refused = assertThrows(KubernetesClientException.class, () -> create(client, ""));
    assertEquals(422, refused.getCode());
  }

  private static void create(KubernetesClient client, String colour) {
    var lantern = new Lantern();
    lantern.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName("bow").build());
    lantern.setSpec(new Lantern.Spec(colour));
    client.resource(lantern).create();
  }

  private static void waitUntilLit(KubernetesClient client) {
    client.resources(Lantern.class).inNamespace("default").withName("bow").waitUntilCondition(
        lantern -> lantern != null && lantern.getStatus() != null && lantern.getStatus().lit(), 30, TimeUnit.SECONDS);
  }
}
