package main

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apps "k8s.io/client-go/applyconfigurations/apps/v1"
	core "k8s.io/client-go/applyconfigurations/core/v1"
	meta "k8s.io/client-go/applyconfigurations/meta/v1"
)

// walkApply applies on the server with the builders: two managers share a deployment, and quarrel about it.
func walkApply(ctx context.Context, w *world) {
	deployments := w.typed.AppsV1().Deployments(w.namespace)
	web := func(image string) *apps.DeploymentApplyConfiguration {
		labels := map[string]string{"app": "web"}
		return apps.Deployment("web", w.namespace).
			WithLabels(map[string]string{"by": "owner"}).
			WithSpec(apps.DeploymentSpec().
				WithSelector(meta.LabelSelector().WithMatchLabels(labels)).
				WithTemplate(core.PodTemplateSpec().WithLabels(labels).WithSpec(core.PodSpec().
					WithContainers(core.Container().WithName("app").WithImage(image).
						WithPorts(core.ContainerPort().WithContainerPort(80))))))
	}
	owner, scaler := metav1.ApplyOptions{FieldManager: "owner"}, metav1.ApplyOptions{FieldManager: "scaler"}
	created := must(deployments.Apply(ctx, web("example.com/app:1"), owner))
	again := must(deployments.Apply(ctx, web("example.com/app:1"), owner))
	equal(again.ResourceVersion, created.ResourceVersion)

	replicas := apps.Deployment("web", w.namespace).WithSpec(apps.DeploymentSpec().WithReplicas(4))
	live := must(deployments.Apply(ctx, replicas, scaler))
	equal(*live.Spec.Replicas, 4)
	equal(len(live.ManagedFields), 2)

	foreign := web("example.com/app:2")
	_, err := deployments.Apply(ctx, foreign, scaler)
	refused(err, apierrors.IsConflict)
	cause, isThere := apierrors.StatusCause(err, metav1.CauseTypeFieldManagerConflict)
	equal(isThere, true)
	equal(cause.Field, `.spec.template.spec.containers[name="app"].image`)
	scaler.Force = true
	live = must(deployments.Apply(ctx, foreign, scaler))
	equal(live.Spec.Template.Spec.Containers[0].Image, "example.com/app:2")

	// What the scaler applied last no longer speaks of replicas: they go back to the default.
	equal(*live.Spec.Replicas, 1)
	extracted := must(apps.ExtractDeployment(live, "owner"))
	equal(extracted.Spec.Template.Spec.Containers[0].Image == nil, true)
	live = must(deployments.Apply(ctx, extracted.WithLabels(map[string]string{"from": "extraction"}), owner))
	shows("owner extraction", live.Labels["by"], live.Labels["from"])

	status := apps.Deployment("web", w.namespace).WithStatus(apps.DeploymentStatus().
		WithObservedGeneration(live.Generation).
		WithConditions(apps.DeploymentCondition().WithType(appsv1.DeploymentAvailable).WithStatus("True").
			WithReason("Walked").WithMessage("applied")))
	live = must(deployments.ApplyStatus(ctx, status, metav1.ApplyOptions{FieldManager: "observer"}))
	equal(live.Status.Conditions[0].Reason, "Walked")
	equal(slices.ContainsFunc(live.ManagedFields, func(entry metav1.ManagedFieldsEntry) bool {
		return entry.Manager == "observer" && entry.Operation == metav1.ManagedFieldsOperationApply && entry.Subresource == "status"
	}), true)
}
