package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// walkPatches patches a deployment in each of the four ways.
func walkPatches(ctx context.Context, w *world) {
	deployments := w.typed.AppsV1().Deployments(w.namespace)
	must(deployments.Create(ctx, deployment("web", 1, containers("app", "log")...), metav1.CreateOptions{}))
	patch := func(kind types.PatchType, text string, subresources ...string) (*appsv1.Deployment, error) {
		options := metav1.PatchOptions{FieldManager: "patcher"}
		return deployments.Patch(ctx, "web", kind, []byte(text), options, subresources...)
	}
	names := func(d *appsv1.Deployment) (all []string) {
		for _, each := range d.Spec.Template.Spec.Containers {
			all = append(all, each.Name+"="+each.Image)
		}
		return all
	}
	is := func(d *appsv1.Deployment, wanted ...string) { equal(fmt.Sprint(names(d)), fmt.Sprint(wanted)) }

	web := must(patch(types.JSONPatchType, `[
		{ "op": "test", "path": "/spec/replicas", "value": 1 },
		{ "op": "replace", "path": "/spec/replicas", "value": 2 },
		{ "op": "remove", "path": "/spec/template/spec/containers/1" }
	]`))
	equal(*web.Spec.Replicas, 2)
	is(web, "app=example.com/app")
	refusal[*appsv1.Deployment](apierrors.IsInvalid)(
		patch(types.JSONPatchType, `[{ "op": "test", "path": "/spec/replicas", "value": 1 }]`))

	web = must(patch(types.StrategicMergePatchType, `{ "spec": { "template": { "spec": { "containers": [
		{ "name": "side", "image": "example.com/side" },
		{ "name": "app", "image": "example.com/app:2" }
	] } } } }`))
	is(web, "side=example.com/side", "app=example.com/app:2")
	web = must(patch(types.StrategicMergePatchType, `{ "spec": { "template": { "spec": { "containers": [
		{ "name": "side", "$patch": "delete" }
	] } } } }`))
	is(web, "app=example.com/app:2")

	web = must(patch(types.MergePatchType, `{
		"metadata": { "annotations": { "note": "merged" } },
		"spec": { "revisionHistoryLimit": null, "template": { "spec": { "containers": [
			{ "name": "only", "image": "example.com/only" }
		] } } }
	}`))
	is(web, "only=example.com/only")
	shows("merged 10", web.Annotations["note"], *web.Spec.RevisionHistoryLimit)
	refusal[*appsv1.Deployment](apierrors.IsConflict)(
		patch(types.MergePatchType, `{ "metadata": { "resourceVersion": "1" } }`))
	refusal[*appsv1.Deployment](apierrors.IsBadRequest)(patch(types.MergePatchType, `{ "metadata": `))

	web = must(patch(types.ApplyPatchType, `{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": { "annotations": { "more": "applied" } }
	}`))
	shows("merged applied", web.Annotations["note"], web.Annotations["more"])

	web = must(patch(types.StrategicMergePatchType, `{ "spec": { "replicas": 9 }, "status": { "readyReplicas": 2, "replicas": 2 } }`, "status"))
	shows("2 2", *web.Spec.Replicas, web.Status.ReadyReplicas)
}
