package lighthouse

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const maxLamps = 12

// Webhooks sets defaults of lighthouses and validates them.
type Webhooks struct{}

// SetupWithManager serves the webhooks at the paths that the configurations in webhooks name.
func (w *Webhooks) SetupWithManager(manager ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(manager, &Lighthouse{}).
		WithDefaulter(w).WithDefaulterCustomPath("/default-lighthouses").
		WithValidator(w).WithValidatorCustomPath("/validate-lighthouses").
		Complete()
}

func (w *Webhooks) Default(_ context.Context, lighthouse *Lighthouse) error {
	if lighthouse.Annotations == nil {
		lighthouse.Annotations = map[string]string{"example.com/color": "white"}
	}
	return nil
}

func (w *Webhooks) ValidateCreate(_ context.Context, lighthouse *Lighthouse) (admission.Warnings, error) {
	return validate(lighthouse)
}

func (w *Webhooks) ValidateUpdate(_ context.Context, _, lighthouse *Lighthouse) (admission.Warnings, error) {
	return validate(lighthouse)
}

func (w *Webhooks) ValidateDelete(context.Context, *Lighthouse) (admission.Warnings, error) {
	return nil, nil
}

func validate(lighthouse *Lighthouse) (admission.Warnings, error) {
	if lighthouse.Spec.Lamps > maxLamps {
		return nil, fmt.Errorf("%d lamps are too bright", lighthouse.Spec.Lamps)
	}
	return nil, nil
}
