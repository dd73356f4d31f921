// Command clients does what programs do with Kubernetes' own Go clients, and says what did not come out as it should.
// The cluster is that of KUBECONFIG. Without a word all was well.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/features"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

type walk struct {
	name string
	run  func(context.Context, *world)
}

// walks are done one after the other, each in a namespace of its name.
var walks = []walk{
	{"discovery", walkDiscovery},
	{"documents", walkDocuments},
	{"objects", walkObjects},
	{"pages", walkPages},
	{"patches", walkPatches},
	{"apply", walkApply},
	{"watches", walkWatches},
	{"custom", walkCustomResources},
	{"metadata", walkMetadata},
	{"informers", walkInformers},
	{"eviction", walkEviction},
	{"events", walkEvents},
	{"election", walkElection},
	{"accounts", walkAccounts},
}

// withoutCBOR is what is left to do, in the same way, with a server that refuses what the clients prefer.
var withoutCBOR = []walk{{"refused", walkRefused}}

// A world is the clients that one walk has, and its namespace.
type world struct {
	config    *rest.Config
	typed     kubernetes.Interface
	dynamic   dynamic.Interface
	namespace string
}

func main() {
	contentType := flag.String("content-type", "application/json", "what the typed client sends")
	accept := flag.String("accept", "", "what it takes; default: the same")
	refused := flag.Bool("cbor-refused", false, "the clients prefer CBOR, and the server has none")
	flag.Parse()
	// What the libraries tell on the way is not a failure.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))

	if *refused {
		walks = withoutCBOR
	}
	if prefersCBOR := features.FeatureGates().Enabled(features.ClientsPreferCBOR); prefersCBOR != (*refused || *contentType == "application/cbor") {
		leave(errors.New("KUBE_FEATURE_ClientsPreferCBOR says something else than the parameters"))
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		leave(err)
	}
	config.QPS = -1
	typed := rest.CopyConfig(config)
	typed.ContentType, typed.AcceptContentTypes = *contentType, *accept
	for _, walk := range walks {
		err := attempt(func() {
			ctx, stop := context.WithTimeout(context.Background(), time.Minute)
			defer stop()
			w := &world{
				config:    typed,
				typed:     must(kubernetes.NewForConfig(typed)),
				dynamic:   must(dynamic.NewForConfig(config)),
				namespace: "go-" + walk.name,
			}
			w.createNamespace(ctx)
			walk.run(ctx, w)
			w.deleteNamespace(ctx)
		})
		if err != nil {
			leave(fmt.Errorf("%s: %w", walk.name, err))
		}
	}
}

func leave(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
