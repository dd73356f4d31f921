package envtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"binnacle.dev/binnacletest/envtest"
)

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  names: { plural: widgets, kind: Widget }
  scope: Namespaced
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`

const webhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: maps }
webhooks:
  - name: maps.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: { service: { name: webhook, namespace: default, path: /validate } }
    rules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
`

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEnvironment(t *testing.T) {
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Dir(write(t, "widgets.yaml", definition))},
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{write(t, "webhook.yaml", webhook)}},
	}
	environment.ControlPlane.GetAPIServer().Configure().Set("controllers", "namespace")
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	if len(environment.CRDs) != 1 || len(environment.KubeConfig) == 0 || environment.Server() == nil {
		t.Fatal(environment.CRDs)
	}
	hooks := environment.WebhookInstallOptions
	if _, err := os.Stat(filepath.Join(hooks.LocalServingCertDir, "tls.crt")); err != nil || hooks.LocalServingPort == 0 {
		t.Fatal(err)
	}
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var namespace corev1.Namespace
	if err := c.Get(t.Context(), client.ObjectKey{Name: "default"}, &namespace); err != nil {
		t.Fatal(err)
	}
	// No webhook server listens.
	refused := c.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "a"}})
	if refused == nil || !strings.Contains(refused.Error(), "maps.example.com") {
		t.Fatal(refused)
	}

	user, err := environment.AddUser(envtest.User{Name: "ada", Groups: []string{"keepers"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	review, err := kubernetes.NewForConfigOrDie(user.Config()).AuthenticationV1().SelfSubjectReviews().
		Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil || review.Status.UserInfo.Username != "ada" {
		t.Fatal(err, review)
	}

	for range 2 {
		if err := environment.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(hooks.LocalServingCertDir); !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

func TestMistakes(t *testing.T) {
	missing := &envtest.Environment{CRDDirectoryPaths: []string{"none"}, ErrorIfCRDPathMissing: true}
	if _, err := missing.Start(); err == nil || !strings.Contains(err.Error(), "unable to install CRDs") {
		t.Fatal(err)
	}
	flags := &envtest.Environment{}
	flags.ControlPlane.GetAPIServer().Configure().Set("etcd-servers", "http://127.0.0.1:1")
	if _, err := flags.Start(); err == nil || !strings.Contains(err.Error(), "--etcd-servers does not apply") {
		t.Fatal(err)
	}
	path := &envtest.Environment{}
	path.ControlPlane.GetAPIServer().Path = "/bin/kube-apiserver"
	if _, err := path.Start(); err == nil || !strings.Contains(err.Error(), "BINNACLE_PATH") {
		t.Fatal(err)
	}
}
