package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// walkWatches watches from a list, with a selector, with the initial objects in the stream, and across watches that end.
func walkWatches(ctx context.Context, w *world) {
	maps := w.typed.CoreV1().ConfigMaps(w.namespace)
	create := func(name string) *corev1.ConfigMap {
		return must(maps.Create(ctx, configMap(name, map[string]string{"n": "1"}), metav1.CreateOptions{}))
	}
	create("before")
	start := must(maps.List(ctx, metav1.ListOptions{})).ResourceVersion

	all := must(maps.Watch(ctx, metav1.ListOptions{ResourceVersion: start}))
	chosen := must(maps.Watch(ctx, metav1.ListOptions{ResourceVersion: start, LabelSelector: "chosen"}))
	a := create("a")
	a.Labels = map[string]string{"chosen": "yes"}
	a = must(maps.Update(ctx, a, metav1.UpdateOptions{}))
	a.Labels = nil
	a = must(maps.Update(ctx, a, metav1.UpdateOptions{}))
	check(maps.Delete(ctx, "a", metav1.DeleteOptions{}))
	expectEvents(ctx, all, "ADDED a", "MODIFIED a", "MODIFIED a", "DELETED a")
	expectEvents(ctx, chosen, "ADDED a", "DELETED a")
	all.Stop()
	chosen.Stop()

	sendInitialEvents := true
	streamed := must(maps.Watch(ctx, metav1.ListOptions{
		SendInitialEvents:    &sendInitialEvents,
		AllowWatchBookmarks:  true,
		ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		LabelSelector:        "!nothing",
	}))
	initial := map[string]bool{}
	for event := range streamed.ResultChan() {
		object, isMap := event.Object.(*corev1.ConfigMap)
		equal(isMap, true)
		if event.Type == watch.Bookmark {
			equal(object.Annotations[metav1.InitialEventsAnnotationKey], "true")
			break
		}
		equal(event.Type, watch.Added)
		initial[object.Name] = true
	}
	equal(initial["before"], true)
	create("b")
	expectEvents(ctx, streamed, "ADDED b")
	streamed.Stop()

	// Each of these watches ends after a second; the next goes on where it has stopped.
	short := int64(1)
	retried := must(watchtools.NewRetryWatcherWithContext(ctx, start, &cache.ListWatch{
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.TimeoutSeconds = &short
			return maps.Watch(ctx, options)
		},
	}))
	expectEvents(ctx, retried, "ADDED a", "MODIFIED a", "MODIFIED a", "DELETED a", "ADDED b")
	ended := must(maps.Watch(ctx, metav1.ListOptions{TimeoutSeconds: &short}))
	for range ended.ResultChan() {
	}
	create("c")
	expectEvents(ctx, retried, "ADDED c")
	retried.Stop()
}

func expectEvents(ctx context.Context, w watch.Interface, wanted ...string) {
	for _, each := range wanted {
		event := next(ctx, w)
		object, isMap := event.Object.(*corev1.ConfigMap)
		if !isMap {
			fail("%s instead of %s: %v", event.Type, each, event.Object)
		}
		equal(string(event.Type)+" "+object.Name, each)
	}
}
