import { type FieldError, tooLong } from '../status/index.js';
import { errorsOfEntries } from './errors-of-each.js';
import { invalidFor } from './field-rules.js';
import { validateLabelKey } from './label-keys.js';
import { utf8Length } from './text.js';

/** Maximum total bytes of the keys and values of an object's annotations. */
const ANNOTATIONS_MAXIMUM = 256 * 1024;

/** Upstream: apimachinery `pkg/api/validation/objectmeta.go`. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  const errors = errorsOfEntries(annotations, (key) => invalidFor(field, key, validateLabelKey(key.toLowerCase())));
  const size = annotations === undefined ? 0 : sizeOf(annotations);
  if (size > ANNOTATIONS_MAXIMUM) errors.push(tooLong(field, ANNOTATIONS_MAXIMUM));
  return errors;
}

/** Counts only to the maximum. */
function sizeOf(annotations: Readonly<Record<string, string>>): number {
  let size = 0;
  for (const key of Object.keys(annotations)) {
    size += utf8Length(key) + utf8Length(annotations[key] ?? '');
    if (size > ANNOTATIONS_MAXIMUM) break;
  }
  return size;
}
