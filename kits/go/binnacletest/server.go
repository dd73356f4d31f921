package binnacletest

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// loggedLines is how much of the log a failed test shows.
const loggedLines = 100

// Server is an API server in memory.
type Server struct {
	// Config is of a client that acts as administrator. It has the rate limits of envtest's.
	Config *rest.Config
	// Kubeconfig is the same as text, for other programs. KubeconfigFile writes it to a file.
	Kubeconfig []byte

	process *process
	id      string
}

type startedServer struct {
	Server               string
	URL                  string
	Kubeconfig           string
	CertificateAuthority string
	ClientCertificate    string
	ClientKey            string
}

// New starts a server. The caller stops it; it ends with the program in any case. Prefer [Start] in a test.
func New(given ...Option) (*Server, error) {
	var o options
	for _, apply := range given {
		apply(&o)
	}
	command, err := findCommand(o.binary)
	if err != nil {
		return nil, err
	}
	shared, err := sharedProcess(command)
	if err != nil {
		return nil, err
	}
	fields := map[string]any{}
	if len(o.flags) > 0 {
		fields["flags"] = o.flags
	}
	if len(o.definitions) > 0 {
		if fields["definitions"], err = absolute(o.definitions); err != nil {
			return nil, err
		}
	}
	return newServer(shared, "start", fields)
}

// Start starts a server for a test. It fails the test when the server does not start, stops the server after the test, and logs the last
// requests when the test has failed.
func Start(t testing.TB, given ...Option) *Server {
	t.Helper()
	server, err := New(given...)
	if err != nil {
		t.Fatal(err)
	}
	server.endWith(t)
	return server
}

// Fork starts a server for a test with all objects of this one, and the same flags. It copies nothing, so that it takes milliseconds. Neither
// server sees later writes to the other. Install CRDs once, and fork for each test.
func (s *Server) Fork(t testing.TB) *Server {
	t.Helper()
	fork, err := newServer(s.process, "fork", map[string]any{"server": s.id})
	if err != nil {
		t.Fatal(err)
	}
	fork.endWith(t)
	return fork
}

// Namespace creates a namespace with a name of its own, for tests that share a server.
func (s *Server) Namespace(t testing.TB) string {
	t.Helper()
	config := rest.CopyConfig(s.Config)
	config.APIPath, config.GroupVersion = "/api", &corev1.SchemeGroupVersion
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	c, err := rest.RESTClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	if err := c.Post().Resource("namespaces").Body(namespace).Do(context.Background()).Into(namespace); err != nil {
		t.Fatal(err)
	}
	return namespace.Name
}

// KubeconfigFile writes the kubeconfig to a file that is removed with the server, and returns its path.
func (s *Server) KubeconfigFile(t testing.TB) string {
	t.Helper()
	var written struct{ Path string }
	s.must(t, "kubeconfigFile", nil, &written)
	return written.Path
}

// InstallCRDs installs the CustomResourceDefinitions of files and folders, and returns when they are established.
func (s *Server) InstallCRDs(t testing.TB, paths ...string) {
	t.Helper()
	found, err := absolute(paths)
	if err != nil {
		t.Fatal(err)
	}
	s.must(t, "installDefinitions", map[string]any{"paths": found}, nil)
}

// Snapshot is a state of all objects of one server.
type Snapshot struct{ id string }

// Snapshot keeps the current state for [Server.Reset].
func (s *Server) Snapshot(t testing.TB) Snapshot {
	t.Helper()
	var taken struct{ Snapshot string }
	s.must(t, "snapshot", nil, &taken)
	return Snapshot{id: taken.Snapshot}
}

// Reset gives all objects the content that they had at the snapshot. Clients see ordinary events; versions never go down.
func (s *Server) Reset(t testing.TB, snapshot Snapshot) {
	t.Helper()
	s.must(t, "reset", map[string]any{"snapshot": snapshot.id}, nil)
}

// Log returns the last lines of the server's log, one for each request.
func (s *Server) Log() ([]string, error) {
	var log struct{ Lines []string }
	err := s.call("log", nil, &log)
	return log.Lines, err
}

// Stop ends the server and its watches. A server of [Start] or [Server.Fork] stops by itself.
func (s *Server) Stop() error { return s.call("stop", nil, nil) }

func newServer(shared *process, name string, fields map[string]any) (*Server, error) {
	var started startedServer
	if err := shared.call(name, fields, &started); err != nil {
		return nil, err
	}
	config := &rest.Config{
		Host: started.URL,
		TLSClientConfig: rest.TLSClientConfig{
			CAData:   []byte(started.CertificateAuthority),
			CertData: []byte(started.ClientCertificate),
			KeyData:  []byte(started.ClientKey),
		},
		QPS:   1000,
		Burst: 2000,
	}
	return &Server{Config: config, Kubeconfig: []byte(started.Kubeconfig), process: shared, id: started.Server}, nil
}

func (s *Server) endWith(t testing.TB) {
	t.Cleanup(func() {
		if t.Failed() {
			lines, err := s.Log()
			if err != nil {
				t.Logf("the log of the server cannot be read: %v", err)
			}
			t.Logf("the log of the server ends with:\n%s", strings.Join(lines[max(0, len(lines)-loggedLines):], "\n"))
		}
		if err := s.Stop(); err != nil {
			t.Errorf("the server does not stop: %v", err)
		}
	})
}

func (s *Server) call(name string, fields map[string]any, result any) error {
	request := map[string]any{"server": s.id}
	for key, value := range fields {
		request[key] = value
	}
	return s.process.call(name, request, result)
}

func (s *Server) must(t testing.TB, name string, fields map[string]any, result any) {
	t.Helper()
	if err := s.call(name, fields, result); err != nil {
		t.Fatal(err)
	}
}

// absolute is for a process that may have another working directory.
func absolute(paths []string) ([]string, error) {
	found := make([]string, len(paths))
	for index, path := range paths {
		var err error
		if found[index], err = filepath.Abs(path); err != nil {
			return nil, err
		}
	}
	return found, nil
}
