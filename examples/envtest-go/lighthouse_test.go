package lighthouse

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestLighthouseIsKeptAndPutOut(t *testing.T) {
	ctx := t.Context()
	lighthouse := &Lighthouse{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "eddystone"},
		Spec:       LighthouseSpec{Lamps: 2},
	}
	if err := k8sClient.Create(ctx, lighthouse); err != nil {
		t.Fatal(err)
	}
	key := client.ObjectKeyFromObject(lighthouse)
	eventually(t, func() error {
		if err := k8sClient.Get(ctx, key, lighthouse); err != nil {
			return err
		}
		if !lighthouse.Status.Lit {
			return fmt.Errorf("the lamps are off")
		}
		return nil
	})

	var log corev1.ConfigMap
	if err := k8sClient.Get(ctx, key, &log); err != nil {
		t.Fatal(err)
	}
	if !metav1.IsControlledBy(&log, lighthouse) || log.Data["lamps"] != "2" {
		t.Fatalf("%v %v", log.OwnerReferences, log.Data)
	}

	if err := k8sClient.Delete(ctx, lighthouse); err != nil {
		t.Fatal(err)
	}
	if name := <-putOut; name != "eddystone" {
		t.Fatal(name)
	}
	eventually(t, func() error {
		if err := k8sClient.Get(ctx, key, lighthouse); !apierrors.IsNotFound(err) {
			return fmt.Errorf("the lighthouse still exists: %v", err)
		}
		return nil
	})
}

func TestSchemaIsEnforced(t *testing.T) {
	err := k8sClient.Create(t.Context(), &Lighthouse{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "dark"}})
	if !apierrors.IsInvalid(err) {
		t.Fatal(err)
	}
}

// Injects conflicts into the next writes, which a real cluster cannot do.
func TestReconcilerSurvivesConflicts(t *testing.T) {
	ctx := t.Context()
	addFault(ctx, t, `{
		"match": { "verb": "update", "resource": "lighthouses", "name": "fastnet" },
		"times": 2,
		"action": { "type": "answer", "code": 409 }
	}`)
	lighthouse := &Lighthouse{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "fastnet"},
		Spec:       LighthouseSpec{Lamps: 1},
	}
	if err := k8sClient.Create(ctx, lighthouse); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error {
		if err := k8sClient.Get(ctx, client.ObjectKeyFromObject(lighthouse), lighthouse); err != nil {
			return err
		}
		if !lighthouse.Status.Lit {
			return fmt.Errorf("the lamps are off")
		}
		return nil
	})
}

func addFault(ctx context.Context, t *testing.T, rule string) {
	t.Helper()
	administrator, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSuffix(config.Host, "/") + "/debug/faults"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewBufferString(rule))
	if err != nil {
		t.Fatal(err)
	}
	response, err := administrator.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		text, _ := io.ReadAll(response.Body)
		t.Fatalf("%s: %s", response.Status, text)
	}
}

func eventually(t *testing.T, holds func() error) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		err := holds()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
