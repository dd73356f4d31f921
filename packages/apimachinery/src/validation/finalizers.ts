import { type FieldError, forbiddenField, invalidValue, quoteGoList } from '../status/index.js';
import { errorsOfEach } from './errors-of-each.js';
import { invalidFor } from './field-rules.js';
import { validateLabelKey } from './label-keys.js';

// Upstream: apimachinery `pkg/api/validation/objectmeta.go`; core `validateKubeFinalizerName`.

const FINALIZER_ORPHAN = 'orphan';
const FINALIZER_FOREGROUND = 'foregroundDeletion';
const FINALIZER_KUBERNETES = 'kubernetes';

const standardFinalizers: ReadonlySet<string> = new Set([FINALIZER_ORPHAN, FINALIZER_FOREGROUND, FINALIZER_KUBERNETES]);

export function validateFinalizers(finalizers: readonly string[] | undefined, field: string): FieldError[] {
  const list = finalizers ?? [];
  const errors = errorsOfEach(list, (finalizer) => invalidFor(field, finalizer, validateLabelKey(finalizer)));
  if (list.includes(FINALIZER_ORPHAN) && list.includes(FINALIZER_FOREGROUND)) {
    const detail = `finalizer ${FINALIZER_ORPHAN} and ${FINALIZER_FOREGROUND} cannot be both set`;
    errors.push(invalidValue(field, list, detail));
  }
  return errors;
}

/** An object that is being deleted can only lose finalizers. */
export function validateNoNewFinalizers(
  finalizers: readonly string[] | undefined,
  old: readonly string[] | undefined,
  field: string,
): FieldError[] {
  const known = new Set(old ?? []);
  const added = [...new Set(finalizers ?? [])].filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return [];
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${quoteGoList(added)}`;
  return [forbiddenField(field, detail)];
}

/** For built-in kinds: a finalizer needs a domain, unless it is one of Kubernetes' own. */
export function validateFinalizerDomains(finalizers: readonly string[] | undefined, field: string): FieldError[] {
  return errorsOfEach(finalizers, (finalizer, index) => validateFinalizerDomain(finalizer, `${field}[${index}]`));
}

export function validateFinalizerDomain(finalizer: string, field: string): FieldError[] {
  if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return [];
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return [invalidValue(field, finalizer, detail)];
}
