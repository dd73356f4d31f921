package main

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
)

// walkMetadata reads, watches and patches metadata alone, which the client asks for in protobuf whatever the others do.
func walkMetadata(ctx context.Context, w *world) {
	client := must(metadata.NewForConfig(w.config))
	resource := schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	maps := client.Resource(resource).Namespace(w.namespace)
	for n := range 5 {
		must(w.typed.CoreV1().ConfigMaps(w.namespace).Create(ctx,
			configMap(fmt.Sprintf("map-%d", n), map[string]string{"n": "1"}), metav1.CreateOptions{}))
	}
	list := must(maps.List(ctx, metav1.ListOptions{Limit: 2}))
	equal(len(list.Items), 2)
	list = must(maps.List(ctx, metav1.ListOptions{Limit: 20, Continue: list.Continue}))
	equal(list.Items[0].Name, "map-1") // After kube-root-ca.crt and map-0.
	one := must(maps.Get(ctx, "map-0", metav1.GetOptions{}))
	equal(one.UID != "", true)

	watched := must(maps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion}))
	defer watched.Stop()
	patch := []byte(`{ "metadata": { "annotations": { "seen": "yes" } } }`)
	patched := must(maps.Patch(ctx, "map-0", types.MergePatchType, patch, metav1.PatchOptions{}))
	equal(patched.Annotations["seen"], "yes")
	event := next(ctx, watched).Object.(*metav1.PartialObjectMetadata)
	equal(event.ResourceVersion, patched.ResourceVersion)

	factory := metadatainformer.NewFilteredSharedInformerFactory(client, 0, w.namespace, nil)
	informer := factory.ForResource(resource)
	informer.Informer()
	running, stop := context.WithCancel(ctx)
	factory.Start(running.Done())
	equal(factory.WaitForCacheSync(ctx.Done())[resource], true)
	check(maps.Delete(ctx, "map-0", metav1.DeleteOptions{}))
	eventually(ctx, "the informer has seen it go", func() bool {
		_, err := informer.Lister().ByNamespace(w.namespace).Get("map-0")
		return apierrors.IsNotFound(err)
	})
	stop()
	factory.Shutdown()
}
