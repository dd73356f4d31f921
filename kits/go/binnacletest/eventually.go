package binnacletest

import (
	"context"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

const (
	eventuallyTimeout = 20 * time.Second
	eventuallyPeriod  = 20 * time.Millisecond
)

// Eventually repeats a check until it returns nil, and fails the test with its last error after 20 seconds.
func Eventually(t testing.TB, holds func() error) {
	t.Helper()
	deadline := time.Now().Add(eventuallyTimeout)
	for {
		err := holds()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(eventuallyPeriod)
	}
}

// EventuallyReconciled waits until the controller of an object has seen its newest spec: status.observedGeneration is metadata.generation.
// It returns the object. namespace is empty for a cluster-scoped resource.
func (s *Server) EventuallyReconciled(
	t testing.TB, resource schema.GroupVersionResource, namespace, name string,
) *unstructured.Unstructured {
	t.Helper()
	c, err := dynamic.NewForConfig(s.Config)
	if err != nil {
		t.Fatal(err)
	}
	var objects dynamic.ResourceInterface = c.Resource(resource)
	if namespace != "" {
		objects = c.Resource(resource).Namespace(namespace)
	}
	var object *unstructured.Unstructured
	Eventually(t, func() error {
		if object, err = objects.Get(context.Background(), name, metav1.GetOptions{}); err != nil {
			return err
		}
		observed, _, err := unstructured.NestedInt64(object.Object, "status", "observedGeneration")
		if err == nil && observed < object.GetGeneration() {
			err = fmt.Errorf("%s %s: the controller has observed generation %d of %d", resource.Resource, name, observed, object.GetGeneration())
		}
		return err
	})
	return object
}
