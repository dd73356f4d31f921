package main

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// A renewal that a stop finds under way can reach the server between the two requests of the release, which then fails
// with a conflict that client-go does not repeat. So each steps down right after a renewal, long before the next.
const retryPeriod = 500 * time.Millisecond

// walkElection lets two stand for one lease: the first leads, steps down, and the second follows.
func walkElection(ctx context.Context, w *world) {
	stand := func(name string) (leads <-chan struct{}, stop context.CancelFunc, ended <-chan struct{}) {
		began, done := make(chan struct{}), make(chan struct{})
		elector := must(leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta:  metav1.ObjectMeta{Namespace: w.namespace, Name: "helm"},
				Client:     w.typed.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: name},
			},
			LeaseDuration:   15 * time.Second,
			RenewDeadline:   10 * time.Second,
			RetryPeriod:     retryPeriod,
			ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { close(began) },
				OnStoppedLeading: func() {},
			},
		}))
		standing, stop := context.WithCancel(ctx)
		go func() {
			defer close(done)
			elector.Run(standing)
		}()
		return began, stop, done
	}
	wait := func(what string, channel <-chan struct{}) {
		select {
		case <-channel:
		case <-ctx.Done():
			fail("still not so: %s", what)
		}
	}
	holder := func() string {
		lease := must(w.typed.CoordinationV1().Leases(w.namespace).Get(ctx, "helm", metav1.GetOptions{}))
		if lease.Spec.HolderIdentity == nil {
			return ""
		}
		return *lease.Spec.HolderIdentity
	}

	first, stopFirst, firstEnded := stand("first")
	wait("the first leads", first)
	equal(holder(), "first")
	second, stopSecond, secondEnded := stand("second")
	renewed := func() time.Time {
		return must(w.typed.CoordinationV1().Leases(w.namespace).Get(ctx, "helm", metav1.GetOptions{})).Spec.RenewTime.Time
	}
	untilRenewed := func() {
		since := renewed()
		eventually(ctx, "the lease is renewed", func() bool { return renewed().After(since) })
	}
	untilRenewed()
	equal(holder(), "first")
	stopFirst()
	wait("the first has ended", firstEnded)
	wait("the second leads", second)
	untilRenewed()
	equal(holder(), "second")
	stopSecond()
	wait("the second has ended", secondEnded)
	equal(holder(), "")
}
