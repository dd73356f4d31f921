// Package envtest is controller-runtime's envtest with servers of Binnacle: change the import, and nothing else.
//
//	import "binnacle.dev/binnacletest/envtest"
//
// An Environment has the fields of controller-runtime's. Definitions and webhooks are installed by its functions. No binaries are needed.
package envtest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"binnacle.dev/binnacletest"
)

type (
	// ControlPlane takes the flags of the server: ControlPlane.GetAPIServer().Configure().Set("controllers", "*").
	ControlPlane = envtest.ControlPlane
	// APIServer is the part of a ControlPlane that has flags.
	APIServer = envtest.APIServer
	// Etcd is not needed: a server keeps its objects itself.
	Etcd = envtest.Etcd
	// Arguments are the flags of an APIServer.
	Arguments = envtest.Arguments
	// Arg is a flag of Arguments.
	Arg = envtest.Arg
	// User is a user for [Environment.AddUser].
	User = envtest.User
	// CRDInstallOptions are as in controller-runtime.
	CRDInstallOptions = envtest.CRDInstallOptions
	// WebhookInstallOptions are as in controller-runtime.
	WebhookInstallOptions = envtest.WebhookInstallOptions
)

// As in controller-runtime.
var (
	EmptyArguments  = envtest.EmptyArguments
	InstallCRDs     = envtest.InstallCRDs
	UninstallCRDs   = envtest.UninstallCRDs
	CreateCRDs      = envtest.CreateCRDs
	WaitForCRDs     = envtest.WaitForCRDs
	ReadCRDFiles    = envtest.ReadCRDFiles
	WaitForWebhooks = envtest.WaitForWebhooks
)

// Environment is a server with definitions and webhooks. The fields have the meaning that they have in controller-runtime's.
type Environment struct {
	// ControlPlane takes flags alone. Start refuses the path of a program.
	ControlPlane ControlPlane
	// Scheme says which kinds convert by webhook. Default: that of client-go.
	Scheme *runtime.Scheme
	// Config of a client that acts as administrator; Start sets it.
	Config *rest.Config
	// KubeConfig is the same as text; Start sets it. Not with UseExistingCluster.
	KubeConfig            []byte
	CRDInstallOptions     CRDInstallOptions
	WebhookInstallOptions WebhookInstallOptions
	ErrorIfCRDPathMissing bool
	CRDs                  []*apiextensionsv1.CustomResourceDefinition
	CRDDirectoryPaths     []string

	// DownloadBinaryAssets and the next three have nothing to act on: a server is no downloaded binary.
	DownloadBinaryAssets         bool
	DownloadBinaryAssetsVersion  string
	DownloadBinaryAssetsIndexURL string
	BinaryAssetsDirectory        string

	// UseExistingCluster: use Config, or the current kubeconfig, and start no server. Default: whether USE_EXISTING_CLUSTER is "true".
	UseExistingCluster *bool

	// ControlPlaneStartTimeout and ControlPlaneStopTimeout bound the start and the stop. Default: 20 seconds.
	ControlPlaneStartTimeout time.Duration
	ControlPlaneStopTimeout  time.Duration
	// AttachControlPlaneOutput: Stop writes the log of the server to standard error.
	AttachControlPlaneOutput bool

	server *binnacletest.Server
}

const defaultTimeout = 20 * time.Second

// Start starts the server, and installs definitions and webhooks.
func (e *Environment) Start() (*rest.Config, error) {
	if e.useExistingCluster() {
		if e.Config == nil {
			found, err := config.GetConfig()
			if err != nil {
				return nil, fmt.Errorf("unable to get configuration for existing cluster: %w", err)
			}
			e.Config = found
		}
	} else if err := e.startServer(); err != nil {
		return nil, err
	}
	if e.Scheme == nil {
		e.Scheme = scheme.Scheme
	}
	if err := e.install(); err != nil {
		return e.Config, errors.Join(err, e.Stop())
	}
	return e.Config, nil
}

// Stop removes what Start has installed, and ends the server. It may be called again.
func (e *Environment) Stop() error {
	var failures []error
	if e.CRDInstallOptions.CleanUpAfterUse && e.Config != nil {
		failures = append(failures, envtest.UninstallCRDs(e.Config, e.CRDInstallOptions))
	}
	failures = append(failures, e.WebhookInstallOptions.Cleanup())
	if server := e.server; server != nil {
		e.server = nil
		if e.AttachControlPlaneOutput {
			lines, err := server.Log()
			failures = append(failures, err)
			fmt.Fprintln(os.Stderr, strings.Join(lines, "\n"))
		}
		failures = append(failures, within(e.ControlPlaneStopTimeout, "stop", server.Stop))
	}
	return errors.Join(failures...)
}

// Server is the running server, for faults, forks and snapshots; nil before Start and with UseExistingCluster.
func (e *Environment) Server() *binnacletest.Server { return e.server }

// AddUser returns a user of the server: the administrator who impersonates it. Settings of base are kept.
func (e *Environment) AddUser(user User, base *rest.Config) (*AuthenticatedUser, error) {
	if e.Config == nil {
		return nil, errors.New("the environment has not been started")
	}
	own := &rest.Config{}
	if base != nil {
		own = rest.CopyConfig(base)
	}
	own.Host, own.TLSClientConfig = e.Config.Host, e.Config.TLSClientConfig
	own.Impersonate = rest.ImpersonationConfig{UserName: user.Name, Groups: user.Groups}
	return &AuthenticatedUser{config: own}, nil
}

// AuthenticatedUser is a user of [Environment.AddUser].
type AuthenticatedUser struct{ config *rest.Config }

// Config is of a client that acts as the user.
func (u *AuthenticatedUser) Config() *rest.Config { return rest.CopyConfig(u.config) }

func (e *Environment) startServer() error {
	if etcd := e.ControlPlane.Etcd; etcd != nil && etcd.Path != "" {
		return errors.New("ControlPlane.Etcd.Path: a server of Binnacle has no etcd")
	}
	apiServer := e.ControlPlane.GetAPIServer()
	if apiServer.Path != "" {
		return errors.New("ControlPlane.APIServer.Path: set BINNACLE_PATH to the program of Binnacle")
	}
	flags := append(apiServer.Configure().AsStrings(nil), apiServer.Args...) //nolint:staticcheck
	if os.Getenv("KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT") == "true" {
		e.AttachControlPlaneOutput = true
	}
	started := make(chan *binnacletest.Server, 1)
	start := func() error {
		server, err := binnacletest.New(binnacletest.WithFlags(flags...))
		started <- server
		return err
	}
	if err := within(e.ControlPlaneStartTimeout, "start", start); err != nil {
		return fmt.Errorf("unable to start control plane itself: %w", err)
	}
	e.server = <-started
	e.Config, e.KubeConfig = e.server.Config, e.server.Kubeconfig
	return nil
}

func (e *Environment) install() error {
	if err := e.WebhookInstallOptions.PrepWithoutInstalling(); err != nil {
		return err
	}
	options := &e.CRDInstallOptions
	if options.Scheme == nil {
		options.Scheme = e.Scheme
	}
	options.CRDs = append(options.CRDs, e.CRDs...)
	options.Paths = append(options.Paths, e.CRDDirectoryPaths...)
	options.ErrorIfPathMissing = options.ErrorIfPathMissing || e.ErrorIfCRDPathMissing
	options.WebhookOptions = e.WebhookInstallOptions
	installed, err := envtest.InstallCRDs(e.Config, *options)
	if err != nil {
		return fmt.Errorf("unable to install CRDs onto control plane: %w", err)
	}
	e.CRDs = installed
	if err := e.WebhookInstallOptions.Install(e.Config); err != nil {
		return fmt.Errorf("unable to install webhooks onto control plane: %w", err)
	}
	return nil
}

func (e *Environment) useExistingCluster() bool {
	if e.UseExistingCluster != nil {
		return *e.UseExistingCluster
	}
	return strings.EqualFold(os.Getenv("USE_EXISTING_CLUSTER"), "true")
}

// within fails when an action takes longer; the action continues.
func within(limit time.Duration, what string, action func() error) error {
	if limit == 0 {
		limit = defaultTimeout
	}
	done := make(chan error, 1)
	go func() { done <- action() }()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return fmt.Errorf("the server did not %s within %s", what, limit)
	}
}
