package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
)

// walkPages lists in pages, which are all of one moment, and by selectors.
func walkPages(ctx context.Context, w *world) {
	maps := w.typed.CoreV1().ConfigMaps(w.namespace)
	const many = 25
	for n := range many {
		each := configMap(fmt.Sprintf("map-%02d", n), nil)
		each.Labels = map[string]string{"page": "yes", "even": fmt.Sprint(n%2 == 0)}
		must(maps.Create(ctx, each, metav1.CreateOptions{}))
	}

	first := must(maps.List(ctx, metav1.ListOptions{LabelSelector: "page=yes", Limit: 10}))
	equal(len(first.Items), 10)
	check(maps.Delete(ctx, "map-24", metav1.DeleteOptions{}))
	names, page := len(first.Items), first
	for page.Continue != "" {
		page = must(maps.List(ctx, metav1.ListOptions{LabelSelector: "page=yes", Limit: 10, Continue: page.Continue}))
		equal(page.ResourceVersion, first.ResourceVersion)
		equal(page.Items[0].Name, fmt.Sprintf("map-%02d", names))
		names += len(page.Items)
	}
	equal(names, many)
	exact := metav1.ListOptions{
		LabelSelector:        "page=yes",
		ResourceVersion:      first.ResourceVersion,
		ResourceVersionMatch: metav1.ResourceVersionMatchExact,
	}
	equal(len(must(maps.List(ctx, exact)).Items), many)
	refusal[*corev1.ConfigMapList](apierrors.IsBadRequest)(maps.List(ctx, metav1.ListOptions{Limit: 10, Continue: "no token"}))

	seen := 0
	pages := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return maps.List(ctx, options)
	})
	pages.PageSize = 7
	check(pages.EachListItem(ctx, metav1.ListOptions{LabelSelector: "page"}, func(runtime.Object) error {
		seen++
		return nil
	}))
	equal(seen, many-1)

	even := metav1.ListOptions{LabelSelector: "page,even!=false"}
	equal(len(must(maps.List(ctx, even)).Items), 12)
	equal(len(must(maps.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=map-03"})).Items), 1)
	check(maps.DeleteCollection(ctx, metav1.DeleteOptions{}, even))
	equal(len(must(maps.List(ctx, metav1.ListOptions{LabelSelector: "page"})).Items), 12)
}
