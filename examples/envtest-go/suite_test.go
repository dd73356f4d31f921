package lighthouse

import (
	"context"
	"log"
	"os"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

var (
	config    *rest.Config
	k8sClient client.Client
	putOut    = make(chan string, 10)
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	environment := &envtest.Environment{
		CRDInstallOptions: envtest.CRDInstallOptions{
			Paths:              []string{"crds"},
			ErrorIfPathMissing: true,
		},
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{"webhooks"}},
	}
	// Flags that kube-apiserver does not have. The loops delete what a lighthouse owns.
	environment.ControlPlane.GetAPIServer().Configure().
		Set("fault-injection", "true").
		Set("controllers", "*")
	var err error
	config, err = environment.Start()
	check(err)
	defer func() { _ = environment.Stop() }()

	scheme := runtime.NewScheme()
	check(clientgoscheme.AddToScheme(scheme))
	check(AddToScheme(scheme))
	webhooks := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    webhooks.LocalServingHost,
			Port:    webhooks.LocalServingPort,
			CertDir: webhooks.LocalServingCertDir,
		}),
	})
	check(err)
	check((&Webhooks{}).SetupWithManager(manager))
	reconciler := &Reconciler{Client: manager.GetClient(), PutOut: func(name string) { putOut <- name }}
	check(reconciler.SetupWithManager(manager))
	k8sClient, err = client.New(config, client.Options{Scheme: scheme})
	check(err)

	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	started := manager.GetWebhookServer().StartedChecker()
	check(wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 10*time.Second, true, func(context.Context) (bool, error) {
		return started(nil) == nil, nil
	}))
	code := m.Run()
	stop()
	check(<-ended)
	return code
}

func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}
