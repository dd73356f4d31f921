package interop;

import static interop.Failure.eventually;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The namespaces that walks have of their own. */
final class Namespaces {
  /** Answers a client whose namespace it is, when all is there that every namespace has. */
  static NamespacedKubernetesClient create(KubernetesClient client, String name) {
    client.resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build()).create();
    var inNamespace = client.adapt(NamespacedKubernetesClient.class).inNamespace(name);
    inNamespace.serviceAccounts().withName("default").waitUntilCondition(Objects::nonNull, 30, TimeUnit.SECONDS);
    inNamespace.configMaps().withName("kube-root-ca.crt").waitUntilCondition(Objects::nonNull, 30, TimeUnit.SECONDS);
    return inNamespace;
  }

  static void delete(KubernetesClient client, String name) {
    client.namespaces().withName(name).delete();
    eventually("the namespace is gone", () -> client.namespaces().withName(name).get() == null);
  }

  private Namespaces() {}
}
