package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// walkEviction evicts pods: one that nothing guards, and two of which a budget lets one go.
func walkEviction(ctx context.Context, w *world) {
	pods := w.typed.CoreV1().Pods(w.namespace)
	evict := func(name string) error {
		eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.namespace}}
		return pods.EvictV1(ctx, eviction)
	}
	now := int64(0)
	for name, labels := range map[string]map[string]string{"free": nil, "a": {"app": "guarded"}, "b": {"app": "guarded"}} {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
			Spec:       corev1.PodSpec{Containers: containers("app"), TerminationGracePeriodSeconds: &now},
		}
		pod = must(pods.Create(ctx, pod, metav1.CreateOptions{}))
		// Pods that do not run may be evicted whatever the budget says.
		pod.Status.Phase = corev1.PodRunning
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		must(pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{}))
	}
	one := intstr.FromInt32(1)
	budgets := w.typed.PolicyV1().PodDisruptionBudgets(w.namespace)
	budget := must(budgets.Create(ctx, &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "guard"},
		Spec: policyv1.PodDisruptionBudgetSpec{
			MinAvailable: &one,
			Selector:     &metav1.LabelSelector{MatchLabels: map[string]string{"app": "guarded"}},
		},
	}, metav1.CreateOptions{}))

	check(evict("free"))
	eventually(ctx, "the pod is gone", func() bool {
		_, err := pods.Get(ctx, "free", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	refused(evict("free"), apierrors.IsNotFound)

	// Until a controller has looked at the budget, the client itself waits and asks again.
	allow := func(disruptions int32) {
		budget.Status = policyv1.PodDisruptionBudgetStatus{
			ObservedGeneration: budget.Generation,
			DisruptionsAllowed: disruptions, CurrentHealthy: 1 + disruptions, DesiredHealthy: 1, ExpectedPods: 2,
		}
		budget = must(budgets.UpdateStatus(ctx, budget, metav1.UpdateOptions{}))
	}
	allow(0)
	refused(evict("a"), apierrors.IsTooManyRequests)
	allow(1)
	check(evict("a"))
	refused(evict("b"), apierrors.IsTooManyRequests)
	budget = must(budgets.Get(ctx, "guard", metav1.GetOptions{}))
	equal(budget.Status.DisruptionsAllowed, 0)
	equal(len(budget.Status.DisruptedPods), 1)
}
