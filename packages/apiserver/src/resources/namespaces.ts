import { asKind } from '@binnacle/apimachinery/meta';
import type { Namespace } from '@binnacle/api/types/core-v1';
import {
  validateNamespace,
  validateNamespaceFinalizeUpdate,
  validateNamespaceStatusUpdate,
  validateNamespaceUpdate,
} from '@binnacle/api/validation';
import { nameIsDnsLabel } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { kind, restore } from './kind.js';
import { keepAllBut, statusStrategy } from './status.js';

// Upstream: `pkg/registry/core/namespace`.

const NAMESPACE_FINALIZER = 'kubernetes';
const NAME_LABEL = 'kubernetes.io/metadata.name';

/** Deleted only when spec.finalizers is empty; the phase shows the deletion. */
export const namespaceStrategy: Strategy = kind<Namespace>(
  {
    prepareForCreate(namespace) {
      namespace.status = { phase: 'Active' };
      const finalizers = namespace.spec?.finalizers ?? [];
      if (!finalizers.includes(NAMESPACE_FINALIZER)) {
        namespace.spec = { ...namespace.spec, finalizers: [...finalizers, NAMESPACE_FINALIZER] };
      }
    },
    prepareForUpdate(namespace, old) {
      restore(namespace, old, 'spec');
      restore(namespace, old, 'status');
    },
    validate: validateNamespace,
    validateUpdate: validateNamespaceUpdate,
    selectable: (namespace) => ({ 'status.phase': namespace.status?.phase ?? '' }),
  },
  {
    validateName: nameIsDnsLabel,
    keepsUnreadable: true,
    refusesDeletesAsUpdates: true,
    returnsDeletedObject: true,
    hasOwnFinalizers: (object) => (asKind<Namespace>(object).spec?.finalizers ?? []).length > 0,
    prepareForDelete(object) {
      const namespace = asKind<Namespace>(object);
      namespace.status = { ...namespace.status, phase: 'Terminating' };
      // A namespace is deleted when its content is gone, not after a grace period.
      delete object.metadata.deletionGracePeriodSeconds;
    },
    canonicalize(object) {
      object.metadata.labels = { ...object.metadata.labels, [NAME_LABEL]: object.metadata.name ?? '' };
    },
  },
);

export const namespaceStatusStrategy: Strategy = statusStrategy<Namespace>({
  validateUpdate: validateNamespaceStatusUpdate,
});

/** The only way to write spec.finalizers. */
export const namespaceFinalizeStrategy: Strategy = {
  prepareForUpdate: (object, old) => keepAllBut('spec', object, old),
  validateUpdate: (object) => validateNamespaceFinalizeUpdate(object),
};
