package interop;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Objects that the walks write. */
final class Samples {
  static ConfigMap configMap(String name, String n, Map<String, String> labels) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).withLabels(labels).endMetadata().addToData("n", n)
        .build();
  }

  static ConfigMap configMap(String name) {
    return configMap(name, "1", Map.of());
  }

  static List<Container> containers(String... names) {
    return Arrays.stream(names)
        .map(name -> new ContainerBuilder().withName(name).withImage("example.com/" + name).build())
        .toList();
  }

  static Deployment deployment(String name, String... containers) {
    var labels = Map.of("app", name);
    return new DeploymentBuilder()
        .withNewMetadata().withName(name).endMetadata()
        .withNewSpec()
        .withReplicas(1)
        .withNewSelector().withMatchLabels(labels).endSelector()
        .withNewTemplate()
        .withNewMetadata().withLabels(labels).endMetadata()
        .withNewSpec().withContainers(containers(containers)).endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private Samples() {}
}
