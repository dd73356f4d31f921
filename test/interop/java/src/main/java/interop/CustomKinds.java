package interop;

import static interop.Failure.equal;
import static interop.Failure.eventually;
import static interop.Failure.refused;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionStatus;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Defines a kind and writes objects of it, as a class and without one. */
final class CustomKinds {
  private static final String DEFINITION = """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: buoys.java.example.com }
      spec:
        group: java.example.com
        scope: Namespaced
        names: { plural: buoys, singular: buoy, kind: Buoy, shortNames: [bu] }
        versions:
          - name: v1
            served: true
            storage: true
            subresources:
              status: {}
              scale: { specReplicasPath: .spec.lamps, statusReplicasPath: .status.lit }
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    required: [lamps]
                    properties:
                      lamps: { type: integer, minimum: 1 }
                      colour: { type: string, default: red }
                  status:
                    type: object
                    properties: { lit: { type: integer } }
      """;

  static void walk(NamespacedKubernetesClient client) {
    var definitions = client.apiextensions().v1().customResourceDefinitions();
    var wanted = client.getKubernetesSerialization().unmarshal(DEFINITION, CustomResourceDefinition.class);
    equal(wanted.getMetadata().getName(), new Buoy().getCRDName());
    var definition = definitions.resource(wanted).create();
    definitions.resource(definition).waitUntilCondition(CustomKinds::isEstablished, 30, TimeUnit.SECONDS);
    eventually("the kind is served", () -> client.supports(Buoy.class));

    walkTyped(client);
    walkGeneric(client, definition);
    definitions.withName(definition.getMetadata().getName()).withTimeout(30, TimeUnit.SECONDS).delete();
    eventually("the kind is gone", () -> !client.supports(Buoy.class));
    refused(404, () -> client.resources(Buoy.class).list());
  }

  /** A definition that the server has yet to look at has no conditions at all. */
  private static boolean isEstablished(CustomResourceDefinition definition) {
    return Optional.ofNullable(definition).map(CustomResourceDefinition::getStatus)
        .map(CustomResourceDefinitionStatus::getConditions).stream().flatMap(List::stream)
        .anyMatch(each -> each.getType().equals("Established") && each.getStatus().equals("True"));
  }

  private static void walkTyped(NamespacedKubernetesClient client) {
    var buoys = client.resources(Buoy.class);
    var a = buoys.withName("a");
    var told = new Events<Buoy>();
    try (var informer = buoys.inform(told)) {
      var created = buoys.resource(Buoy.named("a", 1)).create();
      equal(created.getSpec().colour, "red");
      refused(422, "Invalid", () -> buoys.resource(Buoy.named("dark", 0)).create());
      var lit = a.editStatus(buoy -> {
        buoy.setStatus(new Buoy.Status());
        buoy.getStatus().lit = 1;
        buoy.getSpec().lamps = 9;
        return buoy;
      });
      equal(lit.getStatus().lit + " " + lit.getSpec().lamps, "1 1");
      refused(409, "Conflict", () -> buoys.resource(created).update());
      equal(a.scale().getStatus().getReplicas(), 1);
      equal(a.scale(5).getSpec().lamps, 5);
      a.delete();
      told.are("ADDED a", "MODIFIED a", "MODIFIED a", "DELETED a");
      equal(informer.getStore().list(), List.of());
    }
  }

  private static void walkGeneric(NamespacedKubernetesClient client, CustomResourceDefinition definition) {
    // The one asks the server for the resource of the kind, the other has been told.
    var asked = client.genericKubernetesResources("java.example.com/v1", "Buoy");
    var buoys = client.genericKubernetesResources(CustomResourceDefinitionContext.fromCrd(definition));
    var created = asked.resource(buoy(client, "b-0", "lamps: 2, lost: 1")).create();
    equal(created.get("spec"), Map.of("lamps", 2, "colour", "red"));
    equal(buoys.withName("b-0").get(), created);
    var b = buoys.withName("b-0");
    equal(b.patch(PatchContext.of(PatchType.JSON_MERGE), """
        { "spec": { "colour": "green" } }""").get("spec", "colour"), "green");
    var operations = """
        [{ "op": "replace", "path": "/spec/lamps", "value": 3 }]""";
    equal(b.patch(PatchContext.of(PatchType.JSON), operations).getMetadata().getGeneration(), 3L);
    refused(415, "UnsupportedMediaType", () -> b.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{}"));

    var four = buoy(client, "b-0", "lamps: 4");
    refused(409, "Conflict", () -> buoys.resource(four).fieldManager("south").serverSideApply());
    equal(buoys.resource(four).fieldManager("south").forceConflicts().serverSideApply().get("spec", "lamps"), 4);
    for (var n = 1; n < 5; n++) buoys.resource(buoy(client, "b-" + n, "lamps: 1")).create();
    var page = buoys.list(3, null);
    equal(page.getItems().size() + buoys.list(3, page.getMetadata().getContinue()).getItems().size(), 5);
    buoys.delete();
    equal(buoys.list().getItems(), List.of());
  }

  private static GenericKubernetesResource buoy(NamespacedKubernetesClient client, String name, String spec) {
    var text = """
        apiVersion: java.example.com/v1
        kind: Buoy
        metadata: { name: %s }
        spec: { %s }
        """;
    return client.getKubernetesSerialization().unmarshal(text.formatted(name, spec), GenericKubernetesResource.class);
  }

  private CustomKinds() {}
}
