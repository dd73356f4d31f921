package binnacletest_test

import (
	"bufio"
	"context"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"binnacle.dev/binnacletest"
)

var widgets = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  names: { plural: widgets, kind: Widget }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`

func definitionFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "widgets.yaml"), []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

func clientOf(t *testing.T, server *binnacletest.Server) *kubernetes.Clientset {
	t.Helper()
	c, err := kubernetes.NewForConfig(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func TestForksSeeOnlyTheirOwnWrites(t *testing.T) {
	base := binnacletest.Start(t)
	namespace := base.Namespace(t)
	first, second := base.Fork(t), base.Fork(t)
	create := func(server *binnacletest.Server) error {
		_, err := clientOf(t, server).CoreV1().ConfigMaps(namespace).Create(t.Context(), configMap("a"), metav1.CreateOptions{})
		return err
	}
	for _, server := range []*binnacletest.Server{first, second} {
		if err := create(server); err != nil {
			t.Fatal(err)
		}
	}
	if err := create(first); !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

func TestReset(t *testing.T) {
	server := binnacletest.Start(t)
	maps := clientOf(t, server).CoreV1().ConfigMaps("default")
	clean := server.Snapshot(t)
	if _, err := maps.Create(t.Context(), configMap("a"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	server.Reset(t, clean)
	if _, err := maps.Get(t.Context(), "a", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}

func TestFaults(t *testing.T) {
	server := binnacletest.Start(t)
	maps := clientOf(t, server).CoreV1().ConfigMaps("default")
	refusal := server.InjectFault(t, binnacletest.Fault{
		Match:  binnacletest.FaultMatch{Verb: "create", Resource: "configmaps"},
		Times:  1,
		Action: binnacletest.Answer(503),
	})
	if _, err := maps.Create(t.Context(), configMap("a"), metav1.CreateOptions{}); !apierrors.IsServiceUnavailable(err) {
		t.Fatal(err)
	}
	if hits := refusal.Hits(t); hits != 1 {
		t.Fatal(hits)
	}
	if _, err := maps.Create(t.Context(), configMap("a"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	lines, err := server.Log()
	if err != nil || !strings.Contains(strings.Join(lines, "\n"), "resp=503") {
		t.Fatal(err, lines)
	}
}

func TestControllersAndNodes(t *testing.T) {
	server := binnacletest.Start(t, binnacletest.WithControllers("*"), binnacletest.WithNodes(1))
	c := clientOf(t, server)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "example.com/web"}}},
	}
	binnacletest.Eventually(t, func() error {
		_, err := c.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{})
		return err
	})
	binnacletest.Eventually(t, func() error {
		found, err := c.CoreV1().Pods("default").Get(t.Context(), "web", metav1.GetOptions{})
		if err == nil && found.Status.Phase != corev1.PodRunning {
			err = apierrors.NewTimeoutError("the pod is "+string(found.Status.Phase), 0)
		}
		return err
	})
}

func TestDefinitionsAndReconciliation(t *testing.T) {
	server := binnacletest.Start(t, binnacletest.WithCRDs(definitionFolder(t)))
	server.InstallCRDs(t, definitionFolder(t))
	c, err := dynamic.NewForConfig(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	objects := c.Resource(widgets).Namespace("default")
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "w"},
	}}
	if _, err := objects.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	go func() {
		patch := []byte(`{"status":{"observedGeneration":1}}`)
		_, _ = objects.Patch(context.Background(), "w", "application/merge-patch+json", patch, metav1.PatchOptions{}, "status")
	}()
	if found := server.EventuallyReconciled(t, widgets, "default", "w"); found.GetName() != "w" {
		t.Fatal(found)
	}
}

func TestKubeconfigFileEndsWithTheServer(t *testing.T) {
	server, err := binnacletest.New()
	if err != nil {
		t.Fatal(err)
	}
	path := server.KubeconfigFile(t)
	if text, err := os.ReadFile(path); err != nil || string(text) != string(server.Kubeconfig) {
		t.Fatal(err, string(text))
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

func TestMistakes(t *testing.T) {
	for _, each := range []struct {
		option  binnacletest.Option
		message string
	}{
		{binnacletest.WithFlags("--nodez=1"), "unknown option '--nodez=1'"},
		{binnacletest.WithFlags("--data-dir=x"), "--data-dir does not apply to a test server"},
		{binnacletest.WithCRDs("none"), "none: "},
		{binnacletest.WithBinary("none"), "binnacle: stat none"},
	} {
		if _, err := binnacletest.New(each.option); err == nil || !strings.Contains(err.Error(), each.message) {
			t.Errorf("%q is not in %v", each.message, err)
		}
	}
	t.Setenv("BINNACLE_PATH", "")
	t.Setenv("PATH", t.TempDir())
	t.Chdir(t.TempDir())
	if _, err := binnacletest.New(); err == nil || !strings.Contains(err.Error(), "set BINNACLE_PATH") {
		t.Error(err)
	}
}

// A server must not outlive a test binary that is killed.
func TestServersEndWithAKilledTest(t *testing.T) {
	if os.Getenv("BINNACLETEST_CHILD") != "" {
		server := binnacletest.Start(t)
		os.Stdout.WriteString("\nserver " + server.Config.Host + "\n")
		select {}
	}
	child := exec.Command(os.Args[0], "-test.run=^TestServersEndWithAKilledTest$")
	child.Env = append(os.Environ(), "BINNACLETEST_CHILD=1")
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	address := ""
	for lines := bufio.NewScanner(stdout); address == "" && lines.Scan(); {
		if host, found := strings.CutPrefix(lines.Text(), "server "); found {
			address = host
		}
	}
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		t.Fatal(err, address)
	}
	if err := child.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	binnacletest.Eventually(t, func() error {
		connection, err := net.Dial("tcp", at.Host)
		if err != nil {
			return nil
		}
		_ = connection.Close()
		return apierrors.NewTimeoutError("the server still listens", 0)
	})
}

func TestAHundredServers(t *testing.T) {
	base := binnacletest.Start(t, binnacletest.WithCRDs(definitionFolder(t)))
	for range 100 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			server := base.Fork(t)
			if _, err := clientOf(t, server).CoreV1().ConfigMaps("default").Create(t.Context(), configMap("a"), metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
		})
	}
}
