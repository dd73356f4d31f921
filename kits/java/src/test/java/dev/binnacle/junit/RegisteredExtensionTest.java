package dev.binnacle.junit;

import static dev.binnacle.junit.Testdata.file;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RegisteredExtensionTest {
  @RegisterExtension
  static final BinnacleExtension binnacle = new BinnacleExtension(ServerOptions.none().crds(file("crds")));

  private static void hasBuoys(KubernetesClient client) {
    assertEquals(List.of(), client.genericKubernetesResources("example.com/v1", "Buoy").list().getItems());
  }

  @Test
  void theOptionsCount(KubernetesClient client) {
    hasBuoys(client);
  }

  @Nested
  class Inside {
    @Test
    void theyCountInNestedClasses(KubernetesClient client) {
      hasBuoys(client);
    }
  }
}
