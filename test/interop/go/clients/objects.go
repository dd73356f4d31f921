package main

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
)

func (w *world) createNamespace(ctx context.Context) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	must(w.typed.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}))
	eventually(ctx, "what every namespace has", func() bool {
		_, noAccount := w.typed.CoreV1().ServiceAccounts(w.namespace).Get(ctx, "default", metav1.GetOptions{})
		_, noCertificate := w.typed.CoreV1().ConfigMaps(w.namespace).Get(ctx, "kube-root-ca.crt", metav1.GetOptions{})
		return noAccount == nil && noCertificate == nil
	})
}

func (w *world) deleteNamespace(ctx context.Context) {
	namespaces := w.typed.CoreV1().Namespaces()
	check(namespaces.Delete(ctx, w.namespace, metav1.DeleteOptions{}))
	eventually(ctx, "the namespace is gone", func() bool {
		_, err := namespaces.Get(ctx, w.namespace, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data}
}

func containers(names ...string) (all []corev1.Container) {
	for _, name := range names {
		all = append(all, corev1.Container{Name: name, Image: "example.com/" + name})
	}
	return all
}

func deployment(name string, replicas int32, containers ...corev1.Container) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: containers},
			},
		},
	}
}

// walkObjects creates, reads, writes and deletes.
func walkObjects(ctx context.Context, w *world) {
	maps := w.typed.CoreV1().ConfigMaps(w.namespace)
	created := must(maps.Create(ctx, configMap("a", map[string]string{"n": "1"}), metav1.CreateOptions{FieldManager: "walk"}))
	equal(created.ManagedFields[0].Manager, "walk")
	refusal[*corev1.ConfigMap](apierrors.IsAlreadyExists)(maps.Create(ctx, configMap("a", nil), metav1.CreateOptions{}))
	refusal[*corev1.ConfigMap](apierrors.IsInvalid)(maps.Create(ctx, configMap("A", nil), metav1.CreateOptions{}))
	read := must(maps.Get(ctx, "a", metav1.GetOptions{}))
	equal(read.String(), created.String())

	binary := configMap("binary", nil)
	binary.BinaryData = map[string][]byte{"all": {0, 0xff, 0x80, '\n'}}
	must(maps.Create(ctx, binary, metav1.CreateOptions{}))
	read = must(maps.Get(ctx, "binary", metav1.GetOptions{}))
	equal(slices.Equal(read.BinaryData["all"], binary.BinaryData["all"]), true)

	stale := created.DeepCopy()
	created.Data["n"] = "2"
	updated := must(maps.Update(ctx, created, metav1.UpdateOptions{}))
	equal(updated.UID, created.UID)
	refusal[*corev1.ConfigMap](apierrors.IsConflict)(maps.Update(ctx, stale, metav1.UpdateOptions{}))
	check(retry.RetryOnConflict(retry.DefaultRetry, func() error {
		_, err := maps.Update(ctx, stale, metav1.UpdateOptions{})
		stale = must(maps.Get(ctx, "a", metav1.GetOptions{}))
		return err
	}))

	must(maps.Create(ctx, configMap("dry", nil), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}))
	refusal[*corev1.ConfigMap](apierrors.IsNotFound)(maps.Get(ctx, "dry", metav1.GetOptions{}))
	named := must(maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "some-"}}, metav1.CreateOptions{}))
	equal(len(named.Name), len("some-")+5)

	other := types.UID("another")
	refused(maps.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &other}}), apierrors.IsConflict)
	check(maps.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(created.UID))}))
	refused(maps.Delete(ctx, "a", metav1.DeleteOptions{}), apierrors.IsNotFound)

	walkSubresources(ctx, w)
}

// walkSubresources writes status and scale, which do not touch what the other writes.
func walkSubresources(ctx context.Context, w *world) {
	deployments := w.typed.AppsV1().Deployments(w.namespace)
	web := must(deployments.Create(ctx, deployment("web", 1, containers("app")...), metav1.CreateOptions{}))
	equal(web.Spec.Strategy.Type, appsv1.RollingUpdateDeploymentStrategyType)
	web.Status.ReadyReplicas, web.Status.Replicas = 1, 1
	*web.Spec.Replicas = 7
	web = must(deployments.UpdateStatus(ctx, web, metav1.UpdateOptions{}))
	shows("1 1 1", *web.Spec.Replicas, web.Status.ReadyReplicas, web.Generation)
	scale := must(deployments.GetScale(ctx, "web", metav1.GetOptions{}))
	shows("1 1 app=web", scale.Spec.Replicas, scale.Status.Replicas, scale.Status.Selector)
	scale.Spec.Replicas = 3
	scale = must(deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{}))
	equal(scale.Spec.Replicas, 3)
	web = must(deployments.Get(ctx, "web", metav1.GetOptions{}))
	shows("3 2", *web.Spec.Replicas, web.Generation)
}
