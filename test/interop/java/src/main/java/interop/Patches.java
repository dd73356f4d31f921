package interop;

import static interop.Failure.equal;
import static interop.Failure.refused;
import static interop.Samples.deployment;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;

/** Patches a deployment in each way, with text and with what the client finds changed. */
final class Patches {
  static void walk(NamespacedKubernetesClient client) {
    client.resource(deployment("web", "app", "log")).create();
    var web = client.apps().deployments().withName("web");

    var patched = patch(web, PatchType.JSON, """
        [{ "op": "test", "path": "/spec/replicas", "value": 1 },
         { "op": "replace", "path": "/spec/replicas", "value": 2 },
         { "op": "remove", "path": "/spec/template/spec/containers/1" }]""");
    equal(patched.getSpec().getReplicas(), 2);
    equal(containersOf(patched), List.of("app=example.com/app"));
    refused(422, "Invalid", () -> patch(web, PatchType.JSON, """
        [{ "op": "test", "path": "/spec/replicas", "value": 1 }]"""));

    patched = patch(web, PatchType.STRATEGIC_MERGE, containers("side", "image", "example.com/side"));
    equal(containersOf(patched), List.of("side=example.com/side", "app=example.com/app"));
    patched = patch(web, PatchType.STRATEGIC_MERGE, containers("side", "$patch", "delete"));
    equal(containersOf(patched), List.of("app=example.com/app"));
    patched = patch(web, PatchType.JSON_MERGE, containers("only", "image", "example.com/only"));
    equal(containersOf(patched), List.of("only=example.com/only"));
    refused(409, "Conflict", () -> patch(web, PatchType.JSON_MERGE, """
        { "metadata": { "resourceVersion": "1" } }"""));

    var more = new DeploymentBuilder(patched).editSpec().withReplicas(4).editTemplate().editSpec().editFirstContainer()
        .addNewEnv().withName("MODE").withValue("calm").endEnv()
        .endContainer().endSpec().endTemplate().endSpec().build();
    patched = client.resource(more).patch();
    equal(patched.getSpec().getReplicas(), 4);
    equal(patched.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv().get(0).getName(), "MODE");
    patched = web.edit(it -> new DeploymentBuilder(it).editSpec().editTemplate().editSpec().editFirstContainer()
        .withEnv(List.of()).endContainer().endSpec().endTemplate().endSpec().build());
    equal(patched.getSpec().getTemplate().getSpec().getContainers().get(0).getEnv(), List.of());

    patched = web.subresource("status").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), """
        { "spec": { "replicas": 9 }, "status": { "replicas": 2, "readyReplicas": 2 } }""");
    equal(patched.getSpec().getReplicas() + " " + patched.getStatus().getReadyReplicas(), "4 2");
  }

  private static Deployment patch(RollableScalableResource<Deployment> web, PatchType type, String text) {
    return web.patch(new PatchContext.Builder().withPatchType(type).withFieldManager("patcher").build(), text);
  }

  /** A patch of one container, and of one field in it. */
  private static String containers(String name, String field, String value) {
    return """
        { "spec": { "template": { "spec": { "containers": [{ "name": "%s", "%s": "%s" }] } } } }"""
        .formatted(name, field, value);
  }

  private static List<String> containersOf(Deployment web) {
    return web.getSpec().getTemplate().getSpec().getContainers().stream()
        .map(each -> each.getName() + "=" + each.getImage()).toList();
  }

  private Patches() {}
}
