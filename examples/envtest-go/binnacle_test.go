package lighthouse

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// startBinnacle starts an in-memory server on a free port. BINNACLE is the command with its first arguments, separated
// by spaces. Default: binnacle on the PATH.
func startBinnacle() (config *rest.Config, stop func(), err error) {
	folder, err := os.MkdirTemp("", "binnacle-")
	if err != nil {
		return nil, nil, err
	}
	kubeconfig := filepath.Join(folder, "kubeconfig")
	command := strings.Fields(os.Getenv("BINNACLE"))
	if len(command) == 0 {
		command = []string{"binnacle"}
	}
	arguments := append(command[1:], "serve", "--in-memory", "--secure-port", "0", "--write-kubeconfig", kubeconfig, "--fault-injection")
	server := exec.Command(command[0], arguments...)
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		return nil, nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	stop = func() {
		_ = server.Process.Signal(os.Interrupt)
		<-ended
		_ = os.RemoveAll(folder)
	}

	// The server writes the kubeconfig once it is ready.
	for range 600 {
		if config, err = clientcmd.BuildConfigFromFlags("", kubeconfig); err == nil {
			return config, stop, nil
		}
		select {
		case failure := <-ended:
			return nil, nil, fmt.Errorf("binnacle has ended: %w", failure)
		case <-time.After(50 * time.Millisecond):
		}
	}
	stop()
	return nil, nil, fmt.Errorf("binnacle is not ready: %w", err)
}
