package example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import java.util.Map;

/** The lamp of a Lantern: a ConfigMap of the same name. */
public class Lamp extends CRUDKubernetesDependentResource<ConfigMap, Lantern> {
  @Override
  protected ConfigMap desired(Lantern lantern, Context<Lantern> context) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(lantern.getMetadata().getName())
        .withNamespace(lantern.getMetadata().getNamespace())
        .endMetadata()
        .withData(Map.of("colour", lantern.getSpec().colour()))
        .build();
  }
}
