package lighthouse

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestWebhookSetsADefault(t *testing.T) {
	lighthouse := &Lighthouse{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "bell-rock"},
		Spec:       LighthouseSpec{Lamps: 1},
	}
	if err := k8sClient.Create(t.Context(), lighthouse); err != nil {
		t.Fatal(err)
	}
	if color := lighthouse.Annotations["example.com/color"]; color != "white" {
		t.Fatal(color)
	}
}

func TestWebhookDenies(t *testing.T) {
	err := k8sClient.Create(t.Context(), &Lighthouse{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "pharos"},
		Spec:       LighthouseSpec{Lamps: maxLamps + 1},
	})
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "13 lamps are too bright") {
		t.Fatal(err)
	}
}
