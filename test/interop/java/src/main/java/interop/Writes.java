package interop;

import static interop.Failure.equal;
import static interop.Failure.refused;
import static interop.Samples.configMap;
import static interop.Samples.deployment;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.util.Map;

/** Creates, reads and writes. */
final class Writes {
  static void walk(NamespacedKubernetesClient client) {
    var maps = client.configMaps();
    var created = maps.resource(configMap("a")).create();
    refused(409, "AlreadyExists", () -> maps.resource(configMap("a")).create());
    refused(422, "Invalid", () -> maps.resource(configMap("A")).create());
    equal(maps.withName("a").get(), created);
    equal(maps.withName("nothing").get(), null);

    var updated = maps.resource(new ConfigMapBuilder(created).withData(Map.of("n", "2")).build()).update();
    equal(updated.getMetadata().getUid(), created.getMetadata().getUid());
    refused(409, "Conflict", () -> maps.resource(created).update());
    refused(409, "Conflict", () -> maps.resource(created).lockResourceVersion().replace());
    equal(maps.resource(configMap("a", "3", Map.of())).createOr(NonDeletingOperation::update).getData().get("n"), "3");
    equal(maps.withName("a").edit(map -> new ConfigMapBuilder(map).addToData("more", "yes").build()).getData(),
        Map.of("n", "3", "more", "yes"));

    maps.resource(configMap("dry")).dryRun().create();
    equal(maps.withName("dry").get(), null);
    var named = maps.resource(new ConfigMapBuilder().withNewMetadata().withGenerateName("some-").endMetadata().build())
        .create();
    equal(named.getMetadata().getName().length(), "some-".length() + 5);
    var binary = new ConfigMapBuilder(configMap("binary")).addToBinaryData("all", "AP+ACg==").build();
    equal(maps.resource(binary).create().getBinaryData(), binary.getBinaryData());
    var unknown = """
        { "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "strict" }, "lost": 1 }""";
    var lost = client.getKubernetesSerialization().unmarshal(unknown, GenericKubernetesResource.class);
    refused(400, "BadRequest", () -> client.resource(lost).fieldValidation(Validation.STRICT).create());
    equal(client.resource(lost).create().getAdditionalProperties(), Map.of());

    walkSubresources(client);
  }

  /** Writes status and scale, which do not touch what the other writes. */
  private static void walkSubresources(NamespacedKubernetesClient client) {
    var web = client.apps().deployments().withName("web");
    var created = client.resource(deployment("web", "app")).create();
    equal(created.getSpec().getStrategy().getType(), "RollingUpdate");
    var changed = new DeploymentBuilder(created).editSpec().withReplicas(7).endSpec()
        .withNewStatus().withReplicas(1).withReadyReplicas(1).endStatus().build();
    var ready = client.resource(changed).updateStatus();
    equal(ready.getSpec().getReplicas() + " " + ready.getStatus().getReadyReplicas(), "1 1");
    equal(ready.getMetadata().getGeneration(), 1L);
    equal(web.scale().getStatus().getSelector(), "app=web");
    equal(web.scale(3).getSpec().getReplicas(), 3);
    equal(web.get().getMetadata().getGeneration(), 2L);
    var edited = web.editStatus(it -> new DeploymentBuilder(it).editStatus().withReplicas(3).endStatus().build());
    equal(edited.getStatus().getReplicas() + " " + edited.getStatus().getReadyReplicas(), "3 1");
    web.rolling().restart();
    equal(web.get().getSpec().getTemplate().getMetadata().getAnnotations().size(), 1);
    web.rolling().pause();
    equal(web.get().getSpec().getPaused(), true);
  }

  private Writes() {}
}
