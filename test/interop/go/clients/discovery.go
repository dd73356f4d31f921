package main

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/restmapper"
)

// walkDiscovery asks what there is, and how kinds, resources and short names go together.
func walkDiscovery(_ context.Context, w *world) {
	client := w.typed.Discovery()
	version := must(client.ServerVersion())
	equal(version.Major, "1")

	groups, resources := mustBoth(client.ServerGroupsAndResources())
	has := func(name string) bool {
		return slices.ContainsFunc(groups, func(group *metav1.APIGroup) bool { return group.Name == name })
	}
	for _, name := range []string{"", "apps", "policy", "coordination.k8s.io", "events.k8s.io", "apiextensions.k8s.io"} {
		if !has(name) {
			fail("no group %q", name)
		}
	}
	for _, list := range resources {
		for _, each := range list.APIResources {
			equal(each.Name != "" && each.Kind != "" && len(each.Verbs) > 0, true)
		}
	}
	must(client.ServerPreferredNamespacedResources())

	cached := memory.NewMemCacheClient(client)
	mapper := restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(cached), cached, nil)
	resource := must(mapper.ResourceFor(schema.GroupVersionResource{Resource: "deploy"}))
	equal(resource.String(), "apps/v1, Resource=deployments")
	mapping := must(mapper.RESTMapping(schema.GroupKind{Group: "policy", Kind: "PodDisruptionBudget"}))
	equal(mapping.Resource.Resource, "poddisruptionbudgets")
	all, isCategory := restmapper.NewDiscoveryCategoryExpander(cached).Expand("all")
	equal(isCategory && slices.Contains(all, schema.GroupResource{Group: "apps", Resource: "deployments"}), true)

	// The second version comes in protobuf alone.
	document := must(client.OpenAPISchema())
	equal(document.GetInfo().GetTitle() != "", true)
	equal(len(document.GetDefinitions().GetAdditionalProperties()) > 100, true)
	paths := must(client.OpenAPIV3().Paths())
	equal(len(must(paths["apis/apps/v1"].Schema("application/json"))) > 1000, true)
}

func mustBoth[A, B any](a A, b B, err error) (A, B) {
	if err != nil {
		fail("%v", err)
	}
	return a, b
}
