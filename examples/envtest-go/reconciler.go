// Package lighthouse is a small controller with tests against Binnacle.
package lighthouse

import (
	"context"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const keeper = "example.com/keeper"

// Reconciler ensures a ConfigMap for each Lighthouse, and puts out the lamps before a Lighthouse is deleted.
type Reconciler struct {
	client.Client
	// PutOut is called once before a Lighthouse is deleted.
	PutOut func(name string)
}

func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var lighthouse Lighthouse
	if err := r.Get(ctx, request.NamespacedName, &lighthouse); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !lighthouse.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(&lighthouse, keeper) {
			r.PutOut(lighthouse.Name)
			return ctrl.Result{}, r.Update(ctx, &lighthouse)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(&lighthouse, keeper) {
		return ctrl.Result{}, r.Update(ctx, &lighthouse)
	}

	log := corev1.ConfigMap{}
	log.Namespace, log.Name = lighthouse.Namespace, lighthouse.Name
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, &log, func() error {
		log.Data = map[string]string{"lamps": strconv.Itoa(lighthouse.Spec.Lamps)}
		return controllerutil.SetControllerReference(&lighthouse, &log, r.Scheme())
	})
	if err != nil || lighthouse.Status.Lit {
		return ctrl.Result{}, err
	}
	lighthouse.Status.Lit = true
	return ctrl.Result{}, r.Status().Update(ctx, &lighthouse)
}

// SetupWithManager registers the reconciler with the manager.
func (r *Reconciler) SetupWithManager(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).For(&Lighthouse{}).Owns(&corev1.ConfigMap{}).Complete(r)
}
