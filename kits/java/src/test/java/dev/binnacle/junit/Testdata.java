package dev.binnacle.junit;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;

/** What the tests share. */
final class Testdata {
  private Testdata() {}

  static Path file(String name) {
    try {
      return Path.of(Testdata.class.getResource("/" + name).toURI());
    } catch (URISyntaxException error) {
      throw new IllegalArgumentException(error);
    }
  }

  static ConfigMap configMap(String name) {
    return new ConfigMapBuilder().withNewMetadata().withNamespace("default").withName(name).endMetadata().build();
  }

  static void create(KubernetesClient client, String name) {
    client.resource(configMap(name)).create();
  }

  /** The names of all ConfigMaps in the namespace default. */
  static List<String> names(KubernetesClient client) {
    return client.configMaps().inNamespace("default").list().getItems().stream()
        .map(map -> map.getMetadata().getName()).sorted().toList();
  }
}
