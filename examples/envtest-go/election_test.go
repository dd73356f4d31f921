package lighthouse

import (
	"context"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var keeperLease = client.ObjectKey{Namespace: "default", Name: "keeper"}

// A candidate is one of several managers, of which only the leader works.
type candidate struct {
	works chan struct{}
	ended chan error
	stop  context.CancelFunc
}

func startCandidate(t *testing.T) *candidate {
	t.Helper()
	candidacy, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              keeperLease.Name,
		LeaderElectionNamespace:       keeperLease.Namespace,
		LeaderElectionReleaseOnCancel: true,
		RenewDeadline:                 ptr.To(2 * time.Second),
		RetryPeriod:                   ptr.To(100 * time.Millisecond),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := &candidate{works: make(chan struct{}), ended: make(chan error, 1)}
	work := manager.RunnableFunc(func(ctx context.Context) error {
		close(c.works)
		<-ctx.Done()
		return nil
	})
	if err := candidacy.Add(work); err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	ctx, c.stop = context.WithCancel(t.Context())
	go func() { c.ended <- candidacy.Start(ctx) }()
	return c
}

func (c *candidate) waitUntilItWorks(t *testing.T) {
	t.Helper()
	select {
	case <-c.works:
	case err := <-c.ended:
		t.Fatalf("the manager has stopped: %v", err)
	}
}

func (c *candidate) isWorking() bool {
	select {
	case <-c.works:
		return true
	default:
		return false
	}
}

func lease(t *testing.T) coordinationv1.LeaseSpec {
	t.Helper()
	var lease coordinationv1.Lease
	if err := k8sClient.Get(t.Context(), keeperLease, &lease); err != nil {
		t.Fatal(err)
	}
	return lease.Spec
}

func TestOneManagerLeadsAndAnotherFollows(t *testing.T) {
	first := startCandidate(t)
	first.waitUntilItWorks(t)
	holder := *lease(t).HolderIdentity

	second := startCandidate(t)
	renewed := lease(t).RenewTime.Time
	for lease(t).RenewTime.Sub(renewed) < time.Second {
		time.Sleep(50 * time.Millisecond)
	}
	if second.isWorking() || *lease(t).HolderIdentity != holder {
		t.Fatal("two managers lead at once")
	}

	// The leader releases the lease, so that the next one need not wait for its expiry.
	first.stop()
	if err := <-first.ended; err != nil {
		t.Fatal(err)
	}
	second.waitUntilItWorks(t)
	if spec := lease(t); *spec.HolderIdentity == holder || *spec.LeaseTransitions == 0 {
		t.Fatalf("%+v", spec)
	}

	// A leader that cannot renew the lease must stop.
	addFault(t.Context(), t, `{
		"match": { "verb": ["update", "patch"], "resource": "leases", "name": "keeper" },
		"action": { "type": "answer", "code": 500 }
	}`)
	if err := <-second.ended; err == nil {
		t.Fatal("the manager stopped without an error")
	}
}
