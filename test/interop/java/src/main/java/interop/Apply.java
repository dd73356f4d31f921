package interop;

import static interop.Failure.equal;
import static interop.Failure.refused;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;

/** Applies on the server: two managers share a deployment, and quarrel about it. */
final class Apply {
  private static final String WEB = """
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: app, image: IMAGE, ports: [{ containerPort: 80 }] }] }
      """;

  static void walk(NamespacedKubernetesClient client) {
    var first = web(client, "example.com/app:1");
    var created = client.resource(first).fieldManager("owner").serverSideApply();
    var managers = created.getMetadata().getManagedFields().stream().map(ManagedFieldsEntry::getManager).toList();
    equal(managers, List.of("owner"));
    var again = client.resource(first).fieldManager("owner").serverSideApply();
    equal(again.getMetadata().getResourceVersion(), created.getMetadata().getResourceVersion());

    var second = web(client, "example.com/app:2");
    var conflict = refused(409, "Conflict", () -> client.resource(second).fieldManager("other").serverSideApply());
    var cause = conflict.getDetails().getCauses().get(0);
    equal(cause.getReason() + " " + cause.getField(),
        "FieldManagerConflict .spec.template.spec.containers[name=\"app\"].image");
    client.resource(second).fieldManager("other").forceConflicts().serverSideApply();

    // Both have applied the port: it is gone when neither does.
    var portless = second.edit().editSpec().editTemplate().editSpec().editFirstContainer().withPorts(List.of())
        .endContainer().endSpec().endTemplate().endSpec().build();
    equal(portsOf(client.resource(portless).fieldManager("owner").serverSideApply()), 1);
    equal(portsOf(client.resource(portless).fieldManager("other").serverSideApply()), 0);

    var status = client.apps().deployments().withName("web").subresource("status").patch(
        new PatchContext.Builder().withPatchType(PatchType.SERVER_SIDE_APPLY).withFieldManager("reporter").build(), """
            apiVersion: apps/v1
            kind: Deployment
            metadata: { name: web }
            status: { conditions: [{ type: Available, status: "True", reason: Said }] }
            """);
    equal(status.getStatus().getConditions().get(0).getReason(), "Said");

    var objects = client.resourceList("""
        apiVersion: v1
        kind: ServiceAccount
        metadata: { name: runner }
        ---
        apiVersion: v1
        kind: Service
        metadata: { name: web }
        spec: { selector: { app: web }, ports: [{ port: 80 }] }
        """);
    equal(objects.serverSideApply().stream().map(HasMetadata::getKind).toList(), List.of("ServiceAccount", "Service"));
    equal(objects.get().size(), 2);
  }

  private static Deployment web(NamespacedKubernetesClient client, String image) {
    return client.getKubernetesSerialization().unmarshal(WEB.replace("IMAGE", image), Deployment.class);
  }

  private static int portsOf(Deployment web) {
    return web.getSpec().getTemplate().getSpec().getContainers().get(0).getPorts().size();
  }

  private Apply() {}
}
