package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	core "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// walkRefused prefers CBOR where the server has none: the first write of each client is refused, and all others go in JSON.
func walkRefused(ctx context.Context, w *world) {
	config := rest.CopyConfig(w.config)
	config.ContentType, config.AcceptContentTypes = "application/cbor", "application/cbor,application/json;q=0.9"
	typed := must(kubernetes.NewForConfig(config)).CoreV1().ConfigMaps(w.namespace)
	a := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{"key": "value"}}
	refusal[*corev1.ConfigMap](apierrors.IsUnsupportedMediaType)(typed.Create(ctx, a, metav1.CreateOptions{}))
	created := must(typed.Create(ctx, a, metav1.CreateOptions{}))
	equal(must(typed.Get(ctx, "a", metav1.GetOptions{})).Data["key"], "value")
	watched := must(typed.Watch(ctx, metav1.ListOptions{ResourceVersion: created.ResourceVersion}))
	defer watched.Stop()

	untyped := w.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(w.namespace)
	b := object(`{ apiVersion: v1, kind: ConfigMap, metadata: { name: b }, data: { key: value } }`)
	refusal[*unstructured.Unstructured](apierrors.IsUnsupportedMediaType)(untyped.Create(ctx, b, metav1.CreateOptions{}))
	must(untyped.Create(ctx, b, metav1.CreateOptions{}))
	equal(next(ctx, watched).Object.(*corev1.ConfigMap).Name, "b")
	equal(len(must(untyped.List(ctx, metav1.ListOptions{LabelSelector: "!lost"})).Items) >= 2, true)

	// What is applied goes in what the program prefers, whatever the client has learned.
	applied := core.ConfigMap("c", w.namespace).WithData(map[string]string{"key": "value"})
	refusal[*corev1.ConfigMap](apierrors.IsUnsupportedMediaType)(typed.Apply(ctx, applied, metav1.ApplyOptions{FieldManager: "walk"}))
}
