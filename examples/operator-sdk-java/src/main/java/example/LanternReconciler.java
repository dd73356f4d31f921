package example;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;

/** Hangs a lamp into each Lantern, and reports when it is lit. */
@Workflow(dependents = @Dependent(type = Lamp.class))
@GradualRetry(initialInterval = 50)
@ControllerConfiguration
public class LanternReconciler implements Reconciler<Lantern> {
  @Override
  public UpdateControl<Lantern> reconcile(Lantern lantern, Context<Lantern> context) {
    var lit = new Lantern();
    lit.setMetadata(new ObjectMetaBuilder()
        .withName(lantern.getMetadata().getName())
        .withNamespace(lantern.getMetadata().getNamespace())
        .build());
    lit.setStatus(new Lantern.Status(true));
    return UpdateControl.patchStatus(lit);
  }
}
