package example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A small controller: it hangs a lamp, which is a ConfigMap, into each Lantern. */
final class LanternOperator implements AutoCloseable {
  private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor();
  private final KubernetesClient client;
  private final SharedIndexInformer<Lantern> informer;

  LanternOperator(KubernetesClient client) {
    this.client = client;
    informer = client.resources(Lantern.class).inAnyNamespace().inform(new ResourceEventHandler<>() {
      @Override
      public void onAdd(Lantern lantern) {
        worker.execute(() -> reconcile(lantern));
      }

      @Override
      public void onUpdate(Lantern before, Lantern lantern) {
        worker.execute(() -> reconcile(lantern));
      }

      @Override
      public void onDelete(Lantern lantern, boolean unknown) {}
    });
  }

  private void reconcile(Lantern lantern) {
    try {
      client.resource(lampOf(lantern)).forceConflicts().serverSideApply();
      client.resource(lantern).editStatus(found -> {
        found.setStatus(new Lantern.Status(true));
        return found;
      });
    } catch (KubernetesClientException error) {
      worker.schedule(() -> reconcile(lantern), 50, TimeUnit.MILLISECONDS);
    }
  }

  private static ConfigMap lampOf(Lantern lantern) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(lantern.getMetadata().getName())
        .withNamespace(lantern.getMetadata().getNamespace())
        .addNewOwnerReferenceLike(ownerOf(lantern)).endOwnerReference()
        .endMetadata()
        .withData(Map.of("colour", lantern.getSpec().colour()))
        .build();
  }

  private static OwnerReference ownerOf(Lantern lantern) {
    return new OwnerReferenceBuilder()
        .withApiVersion(lantern.getApiVersion())
        .withKind(lantern.getKind())
        .withName(lantern.getMetadata().getName())
        .withUid(lantern.getMetadata().getUid())
        .withController(true)
        .build();
  }

  @Override
  public void close() {
    informer.close();
    worker.shutdownNow();
  }
}
