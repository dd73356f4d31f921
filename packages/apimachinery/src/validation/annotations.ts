import { type FieldError, tooLong } from '../status/index.js';
import { invalidFor } from './field-rules.js';
import { validateLabelKey } from './label-keys.js';
import { utf8Length } from './text.js';

/** Maximum total bytes of the keys and values of an object's annotations. */
export const ANNOTATIONS_MAXIMUM = 256 * 1024;

/** Upstream: apimachinery `pkg/api/validation/objectmeta.go`. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    errors.push(...invalidFor(field, key, validateLabelKey(key.toLowerCase())));
    size += utf8Length(key) + utf8Length(value);
  }
  if (size > ANNOTATIONS_MAXIMUM) errors.push(tooLong(field, ANNOTATIONS_MAXIMUM));
  return errors;
}
