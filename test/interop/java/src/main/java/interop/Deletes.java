package interop;

import static interop.Failure.equal;
import static interop.Failure.eventually;
import static interop.Failure.holds;
import static interop.Failure.refused;
import static interop.Samples.configMap;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Deletes: with preconditions, with what belongs to an object and without, many at once. */
final class Deletes {
  static void walk(NamespacedKubernetesClient client) {
    var maps = client.configMaps();
    var old = maps.resource(configMap("a")).create();
    var current = maps.withName("a").edit(map -> new ConfigMapBuilder(map).addToData("n", "2").build());
    refused(409, "Conflict", () -> maps.resource(old).lockResourceVersion().delete());
    var uri = "/api/v1/namespaces/" + client.getNamespace() + "/configmaps/a";
    var another = new DeleteOptionsBuilder().withNewPreconditions().withUid("another").endPreconditions().build();
    refused(409, "Conflict", () -> client.raw(uri, "DELETE", another));
    var details = maps.resource(current).lockResourceVersion().delete();
    equal(details.get(0).getUid(), current.getMetadata().getUid());
    equal(maps.withName("a").delete(), List.of());
    refused(404, "NotFound", () -> client.raw(uri, "DELETE", new DeleteOptionsBuilder().build()));

    for (var policy : DeletionPropagation.values()) walkPropagation(client, policy);

    for (var n = 0; n < 5; n++) {
      maps.resource(configMap("map-" + n, "1", Map.of("parity", n % 2 == 0 ? "even" : "odd"))).create();
    }
    equal(maps.withLabel("parity", "even").delete().size(), 3);
    equal(maps.withLabel("parity").list().getItems().size(), 2);
    maps.withLabel("parity").withTimeout(30, TimeUnit.SECONDS).delete();
    equal(maps.withLabel("parity").list().getItems(), List.of());
  }

  private static void walkPropagation(NamespacedKubernetesClient client, DeletionPropagation policy) {
    var maps = client.configMaps();
    var owner = maps.resource(configMap("owner")).create();
    var reference = new OwnerReferenceBuilder().withApiVersion("v1").withKind("ConfigMap").withName("owner")
        .withUid(owner.getMetadata().getUid()).withBlockOwnerDeletion(true).build();
    var owned = new ConfigMapBuilder(configMap("owned")).editMetadata().withOwnerReferences(reference)
        .withFinalizers("example.com/wait").endMetadata().build();
    maps.resource(owned).create();
    maps.withName("owner").withPropagationPolicy(policy).delete();
    if (policy == DeletionPropagation.ORPHAN) {
      eventually("the owner is gone", () -> maps.withName("owner").get() == null);
      equal(maps.withName("owned").get().getMetadata().getOwnerReferences(), List.of());
      maps.withName("owned").delete();
    }
    eventually("what it owned is deleted", () -> isLeaving(maps.withName("owned").get()));
    var left = maps.withName("owner").get();
    equal(left == null ? null : left.getMetadata().getFinalizers(),
        policy == DeletionPropagation.FOREGROUND ? List.of("foregroundDeletion") : null);
    maps.withName("owned").edit(
        map -> new ConfigMapBuilder(map).editMetadata().withFinalizers(List.of()).endMetadata().build());
    eventually("both are gone", () -> maps.withName("owned").get() == null && maps.withName("owner").get() == null);
  }

  private static boolean isLeaving(ConfigMap map) {
    holds(map != null, "a finalizer holds it");
    return map.getMetadata().getDeletionTimestamp() != null;
  }

  private Deletes() {}
}
