package interop;

import static interop.Failure.equal;
import static interop.Failure.eventually;
import static interop.Failure.refused;
import static interop.Samples.containers;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.util.Map;
import java.util.Set;

/** Evicts pods: one that nothing guards, and two of which a budget lets one go. */
final class Evictions {
  static void walk(NamespacedKubernetesClient client) {
    var pods = client.pods();
    runPod(client, "free", Map.of());
    runPod(client, "a", Map.of("app", "guarded"));
    runPod(client, "b", Map.of("app", "guarded"));
    var budget = client.resource(new PodDisruptionBudgetBuilder()
        .withNewMetadata().withName("guard").endMetadata()
        .withNewSpec().withNewMinAvailable(1).withNewSelector().withMatchLabels(Map.of("app", "guarded")).endSelector()
        .endSpec()
        .build()).create();

    equal(pods.withName("free").evict(), true);
    eventually("the pod is gone", () -> pods.withName("free").get() == null);
    refused(404, "NotFound", () -> pods.withName("free").evict());
    allow(client, budget, 0);
    equal(pods.withName("a").evict(), false);
    var eviction = new EvictionBuilder().withNewMetadata().withNamespace(client.getNamespace()).withName("a")
        .endMetadata().build();
    var uri = "/api/v1/namespaces/" + client.getNamespace() + "/pods/a/eviction";
    var refusal = refused(429, "TooManyRequests", () -> client.raw(uri, "POST", eviction));
    equal(refusal.getDetails().getCauses().get(0).getReason(), "DisruptionBudget");
    allow(client, client.policy().v1().podDisruptionBudget().withName("guard").get(), 1);
    equal(pods.withName("a").evict(new EvictionBuilder(eviction).withDeleteOptions(
        new DeleteOptionsBuilder().withGracePeriodSeconds(0L).build()).build()), true);
    equal(pods.withName("b").evict(), false);
    var status = client.policy().v1().podDisruptionBudget().withName("guard").get().getStatus();
    equal(status.getDisruptionsAllowed(), 0);
    equal(status.getDisruptedPods().keySet(), Set.of("a"));
  }

  /** Pods that do not run may be evicted whatever the budget says. */
  private static void runPod(NamespacedKubernetesClient client, String name, Map<String, String> labels) {
    Pod pod = client.resource(new PodBuilder()
        .withNewMetadata().withName(name).withLabels(labels).endMetadata()
        .withNewSpec().withTerminationGracePeriodSeconds(0L).withContainers(containers("app")).endSpec()
        .build()).create();
    client.resource(new PodBuilder(pod).withNewStatus().withPhase("Running")
        .addNewCondition().withType("Ready").withStatus("True").endCondition().endStatus().build()).updateStatus();
  }

  private static void allow(NamespacedKubernetesClient client, PodDisruptionBudget budget, int disruptions) {
    client.resource(new PodDisruptionBudgetBuilder(budget).withNewStatus()
        .withObservedGeneration(budget.getMetadata().getGeneration()).withDisruptionsAllowed(disruptions)
        .withCurrentHealthy(1 + disruptions).withDesiredHealthy(1).withExpectedPods(2).endStatus().build())
        .updateStatus();
  }

  private Evictions() {}
}
