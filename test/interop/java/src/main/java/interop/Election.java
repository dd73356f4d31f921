package interop;

import static interop.Failure.equal;
import static interop.Failure.eventually;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Two candidates for one lease: the first leads and steps down, and then the second leads. */
final class Election {
  static void walk(NamespacedKubernetesClient client) {
    var told = new CopyOnWriteArrayList<String>();
    var first = stand(client, "first", told);
    eventually("the first leads", () -> told.contains("first leads"));
    equal(lease(client).getSpec().getHolderIdentity(), "first");
    var second = stand(client, "second", told);
    var since = lease(client).getSpec().getRenewTime();
    eventually("the lease is renewed", () -> lease(client).getSpec().getRenewTime().isAfter(since));
    equal(told, List.of("first leads"));
    first.cancel(true);
    eventually("the second leads", () -> told.contains("second leads"));
    equal(lease(client).getSpec().getHolderIdentity(), "second");
    equal(lease(client).getSpec().getLeaseTransitions(), 1);
    second.cancel(true);
    eventually("no one leads", () -> told.contains("second stops"));
    equal(told, List.of("first leads", "first stops", "second leads", "second stops"));
    // The client releases a lease by shortening its duration.
    equal(lease(client).getSpec().getLeaseDurationSeconds(), 1);
  }

  private static Lease lease(NamespacedKubernetesClient client) {
    return client.leases().withName("helm").get();
  }

  private static CompletableFuture<?> stand(NamespacedKubernetesClient client, String name, List<String> told) {
    return client.leaderElector().withConfig(new LeaderElectionConfigBuilder()
        .withName(name)
        .withLock(new LeaseLock(client.getNamespace(), "helm", name))
        .withLeaseDuration(Duration.ofSeconds(15))
        .withRenewDeadline(Duration.ofSeconds(10))
        .withRetryPeriod(Duration.ofMillis(100))
        .withReleaseOnCancel(true)
        .withLeaderCallbacks(new LeaderCallbacks(
            () -> told.add(name + " leads"), () -> told.add(name + " stops"), leader -> {}))
        .build()).build().start();
  }

  private Election() {}
}
