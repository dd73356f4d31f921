package dev.binnacle.junit;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** Clients of fabric8. */
public final class Fabric8Client {
  private Fabric8Client() {}

  /**
   * The configuration of an administrator, for a KubernetesClientBuilder. Its client retries 429 and 5xx; to see such a
   * refusal, set {@code requestRetryBackoffLimit} to 0.
   */
  public static Config config(BinnacleServer server) {
    return Config.fromKubeconfig(server.kubeconfig());
  }

  /** A client that acts as administrator. The caller closes it. */
  public static KubernetesClient connect(BinnacleServer server) {
    return new KubernetesClientBuilder().withConfig(config(server)).build();
  }
}
