import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import {
  errorsOfEach,
  invalidFor,
  nameIsDnsLabel,
  validateFinalizerDomain,
  validateLabelKey,
} from '@binnacle/apimachinery/validation';
import type { Namespace } from '../../generated/types/core-v1.js';
import { each, finalizerDomains } from '../common.js';

function finalizer(name: string, field: string): FieldError[] {
  return [...invalidFor(field, name, validateLabelKey(name)), ...validateFinalizerDomain(name, field)];
}

/** Upstream: `ValidateNamespace`. */
export function validateNamespace(object: Namespace): FieldError[] {
  return errorsOfEach(object.spec?.finalizers, (name) => finalizer(name, 'spec.finalizers'));
}

/** Upstream validates the prefix of a generated name on updates too. */
export function validateNamespaceUpdate(object: Namespace): FieldError[] {
  const prefix = object.metadata?.generateName ?? '';
  const problems = prefix === '' ? [] : nameIsDnsLabel(prefix, true);
  return [...invalidFor('metadata.generateName', prefix, problems), ...finalizerDomains(object)];
}

/** The phase is Terminating exactly while the namespace is being deleted. */
export function validateNamespaceStatusUpdate(object: Namespace): FieldError[] {
  const phase = object.status?.phase ?? '';
  const deleting = Boolean(object.metadata?.deletionTimestamp);
  const expected = deleting ? 'Terminating' : 'Active';
  const when = deleting ? 'is not empty' : 'is empty';
  const detail = `may only be '${expected}' if \`deletionTimestamp\` ${when}`;
  return [...finalizerDomains(object), ...(phase === expected ? [] : [invalidValue('status.Phase', phase, detail)])];
}

export function validateNamespaceFinalizeUpdate(object: Namespace): FieldError[] {
  return [...finalizerDomains(object), ...each(object.spec?.finalizers, 'spec.finalizers', finalizer)];
}
