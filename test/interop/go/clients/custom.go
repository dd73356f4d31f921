package main

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
	"sigs.k8s.io/yaml"
)

var (
	definitionsResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	buoysResource       = schema.GroupVersionResource{Group: "go.example.com", Version: "v1", Resource: "buoys"}
)

const buoysDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: buoys.go.example.com }
spec:
  group: go.example.com
  scope: Namespaced
  names: { plural: buoys, singular: buoy, kind: Buoy, shortNames: [bu] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale: { specReplicasPath: .spec.lamps, statusReplicasPath: .status.lit, labelSelectorPath: .status.selector }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [lamps]
              properties:
                lamps: { type: integer, minimum: 1 }
                colour: { type: string, default: red }
                moorings:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [side]
                  items:
                    type: object
                    required: [side]
                    properties: { side: { type: string }, chain: { type: integer } }
            status:
              type: object
              properties: { lit: { type: integer }, selector: { type: string } }
`

func object(text string) *unstructured.Unstructured {
	into := &unstructured.Unstructured{}
	// Whole numbers as integers: in CBOR a float is not one.
	check(into.UnmarshalJSON(must(yaml.YAMLToJSON([]byte(text)))))
	return into
}

func buoy(name string, lamps int) *unstructured.Unstructured {
	return object(fmt.Sprintf(`{ apiVersion: go.example.com/v1, kind: Buoy, metadata: { name: %s }, spec: { lamps: %d, lost: 1 } }`, name, lamps))
}

// walkCustomResources defines a kind and does with the dynamic client what the typed ones do with theirs.
func walkCustomResources(ctx context.Context, w *world) {
	definitions := w.dynamic.Resource(definitionsResource)
	must(definitions.Create(ctx, object(buoysDefinition), metav1.CreateOptions{}))
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(w.typed.Discovery()))
	eventually(ctx, "the mapper knows the kind", func() bool {
		mapping, err := mapper.RESTMapping(schema.GroupKind{Group: "go.example.com", Kind: "Buoy"})
		if meta.IsNoMatchError(err) {
			mapper.Reset()
			return false
		}
		check(err)
		return mapping.Resource == buoysResource
	})

	buoys := w.dynamic.Resource(buoysResource).Namespace(w.namespace)
	red := must(buoys.Create(ctx, buoy("b-0", 1), metav1.CreateOptions{}))
	watched := must(buoys.Watch(ctx, metav1.ListOptions{ResourceVersion: red.GetResourceVersion()}))
	defer watched.Stop()
	shows("map[colour:red lamps:1]", red.Object["spec"])
	refusal[*unstructured.Unstructured](apierrors.IsInvalid)(buoys.Create(ctx, buoy("dark", 0), metav1.CreateOptions{}))
	for n := 1; n < 5; n++ {
		must(buoys.Create(ctx, buoy(fmt.Sprintf("b-%d", n), n), metav1.CreateOptions{}))
	}
	page, names := metav1.ListOptions{Limit: 2}, 0
	for {
		list := must(buoys.List(ctx, page))
		names += len(list.Items)
		if page.Continue = list.GetContinue(); page.Continue == "" {
			break
		}
	}
	equal(names, 5)
	walkCustomWrites(ctx, buoys, red)
	walkScale(ctx, w, mapper)
	for _, wanted := range []string{"ADDED b-1", "ADDED b-2", "ADDED b-3", "ADDED b-4", "MODIFIED b-0"} {
		event := next(ctx, watched)
		equal(string(event.Type)+" "+event.Object.(*unstructured.Unstructured).GetName(), wanted)
	}
	check(definitions.Delete(ctx, "buoys.go.example.com", metav1.DeleteOptions{}))
	eventually(ctx, "the kind is gone", func() bool {
		_, err := buoys.List(ctx, metav1.ListOptions{})
		return apierrors.IsNotFound(err)
	})
}

func walkCustomWrites(ctx context.Context, buoys dynamic.ResourceInterface, red *unstructured.Unstructured) {
	lit := red.DeepCopy()
	check(unstructured.SetNestedField(lit.Object, int64(1), "status", "lit"))
	check(unstructured.SetNestedField(lit.Object, int64(9), "spec", "lamps"))
	lit = must(buoys.UpdateStatus(ctx, lit, metav1.UpdateOptions{}))
	shows("map[colour:red lamps:1] map[lit:1]", lit.Object["spec"], lit.Object["status"])
	refusal[*unstructured.Unstructured](apierrors.IsConflict)(buoys.Update(ctx, red, metav1.UpdateOptions{}))

	patched := must(buoys.Patch(ctx, "b-0", types.MergePatchType, []byte(`{ "spec": { "colour": "green" } }`), metav1.PatchOptions{}))
	shows("map[colour:green lamps:1]", patched.Object["spec"])
	patched = must(buoys.Patch(ctx, "b-0", types.JSONPatchType,
		[]byte(`[{ "op": "replace", "path": "/spec/lamps", "value": 2 }]`), metav1.PatchOptions{}))
	equal(patched.GetGeneration(), 3)
	refusal[*unstructured.Unstructured](apierrors.IsUnsupportedMediaType)(
		buoys.Patch(ctx, "b-0", types.StrategicMergePatchType, []byte(`{}`), metav1.PatchOptions{}))

	mooring := func(side string, chain int) *unstructured.Unstructured {
		return object(fmt.Sprintf(`{ apiVersion: go.example.com/v1, kind: Buoy, metadata: { name: b-0 }, spec: { moorings: [{ side: %s, chain: %d }] } }`, side, chain))
	}
	must(buoys.Apply(ctx, "b-0", mooring("north", 1), metav1.ApplyOptions{FieldManager: "north"}))
	applied := must(buoys.Apply(ctx, "b-0", mooring("south", 2), metav1.ApplyOptions{FieldManager: "south"}))
	moorings, _, err := unstructured.NestedSlice(applied.Object, "spec", "moorings")
	check(err)
	equal(len(moorings), 2)
	refusal[*unstructured.Unstructured](apierrors.IsConflict)(
		buoys.Apply(ctx, "b-0", mooring("north", 3), metav1.ApplyOptions{FieldManager: "south"}))
	must(buoys.Apply(ctx, "b-0", mooring("north", 3), metav1.ApplyOptions{FieldManager: "south", Force: true}))
}

// walkScale scales the custom kind and a built-in one with the same client.
func walkScale(ctx context.Context, w *world, mapper *restmapper.DeferredDiscoveryRESTMapper) {
	kinds := scale.NewDiscoveryScaleKindResolver(w.typed.Discovery())
	config := rest.CopyConfig(w.config)
	if config.ContentType == "application/cbor" {
		// Which the scale client does not know.
		config.ContentType, config.AcceptContentTypes = "application/json", "application/json"
	}
	scales := must(scale.NewForConfig(config, mapper, dynamic.LegacyAPIPathResolverFunc, kinds)).Scales(w.namespace)
	resource := buoysResource.GroupResource()
	is := must(scales.Get(ctx, resource, "b-0", metav1.GetOptions{}))
	shows("2 1", is.Spec.Replicas, is.Status.Replicas)
	is.Spec.Replicas = 5
	is = must(scales.Update(ctx, resource, is, metav1.UpdateOptions{}))
	equal(is.Spec.Replicas, 5)

	must(w.typed.AppsV1().Deployments(w.namespace).Create(ctx, deployment("web", 1, containers("app")...), metav1.CreateOptions{}))
	patch := []byte(`{ "spec": { "replicas": 3 } }`)
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	is = must(scales.Patch(ctx, deployments, "web", types.MergePatchType, patch, metav1.PatchOptions{}))
	equal(is.Spec.Replicas, 3)
}
