package main

import (
	"context"
	"fmt"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// walkInformers keeps a namespace in memory and changes it: handlers hear of each change once, the cache ends as the server.
func walkInformers(ctx context.Context, w *world) {
	const before, during = 200, 50
	maps := w.typed.CoreV1().ConfigMaps(w.namespace)
	create := func(n int) {
		each := configMap(fmt.Sprintf("map-%03d", n), map[string]string{"n": "1"})
		each.Labels = map[string]string{"walk": "informers", "part": fmt.Sprint(n % 4)}
		must(maps.Create(ctx, each, metav1.CreateOptions{}))
	}
	for n := range before {
		create(n)
	}

	ours := func(options *metav1.ListOptions) { options.LabelSelector = "walk=informers" }
	factory := informers.NewSharedInformerFactoryWithOptions(w.typed, 0,
		informers.WithNamespace(w.namespace), informers.WithTweakListOptions(ours))
	informer := factory.Core().V1().ConfigMaps()
	check(informer.Informer().AddIndexers(cache.Indexers{"part": func(object any) ([]string, error) {
		return []string{object.(*corev1.ConfigMap).Labels["part"]}, nil
	}}))
	var initial, added, updated, deleted, wrong atomic.Int32
	registration := must(informer.Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(_ any, isInInitialList bool) {
			if isInInitialList {
				initial.Add(1)
			} else {
				added.Add(1)
			}
		},
		UpdateFunc: func(old, new any) {
			updated.Add(1)
			if old.(*corev1.ConfigMap).Data["n"] != "1" || new.(*corev1.ConfigMap).Data["n"] != "2" {
				wrong.Add(1)
			}
		},
		DeleteFunc: func(any) { deleted.Add(1) },
	}))
	dynamicFactory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(w.dynamic, 0, w.namespace, ours)
	unstructuredMaps := dynamicFactory.ForResource(corev1.SchemeGroupVersion.WithResource("configmaps")).Informer()

	running, stop := context.WithCancel(ctx)
	factory.StartWithContext(running)
	dynamicFactory.Start(running.Done())
	check(factory.WaitForCacheSyncWithContext(ctx).AsError())
	dynamicFactory.WaitForCacheSync(ctx.Done())
	equal(cache.WaitForCacheSync(ctx.Done(), registration.HasSynced), true)
	equal(initial.Load(), before)

	for n := range during {
		create(before + n)
		changed := must(maps.Get(ctx, fmt.Sprintf("map-%03d", n), metav1.GetOptions{}))
		changed.Data["n"] = "2"
		must(maps.Update(ctx, changed, metav1.UpdateOptions{}))
		check(maps.Delete(ctx, fmt.Sprintf("map-%03d", before-1-n), metav1.DeleteOptions{}))
	}
	eventually(ctx, "handlers have heard of all", func() bool {
		return added.Load() == during && updated.Load() == during && deleted.Load() == during
	})
	equal(initial.Load(), before)
	equal(wrong.Load(), 0)

	live := must(maps.List(ctx, metav1.ListOptions{LabelSelector: "walk=informers"})).Items
	equal(len(must(informer.Lister().ConfigMaps(w.namespace).List(labels.Everything()))), len(live))
	for _, each := range live {
		equal(must(informer.Lister().ConfigMaps(w.namespace).Get(each.Name)).ResourceVersion, each.ResourceVersion)
	}
	part := must(maps.List(ctx, metav1.ListOptions{LabelSelector: "walk=informers,part=0"})).Items
	equal(len(must(informer.Informer().GetIndexer().ByIndex("part", "0"))), len(part))
	eventually(ctx, "the dynamic informer has the same", func() bool {
		return len(unstructuredMaps.GetStore().ListKeys()) == len(live)
	})
	stop()
	factory.Shutdown()
	dynamicFactory.Shutdown()
}
