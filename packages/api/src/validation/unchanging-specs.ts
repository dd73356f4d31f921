import type { FieldError } from '@binnacle/apimachinery/status';
import { validateImmutable } from '@binnacle/apimachinery/validation';
import { finalizerDomains, valueAt, type WithMetadata } from './common.js';

/** An update rule for kinds of which some fields never change: `spec.a` is a path of fields. */
export function unchanging(...fields: readonly string[]): (object: WithMetadata, old: WithMetadata) => FieldError[] {
  const paths = fields.map((field) => [field, field.split('.')] as const);
  return (object, old) => [
    ...finalizerDomains(object),
    ...paths.flatMap(([field, path]) => validateImmutable(valueAt(object, ...path), valueAt(old, ...path), field)),
  ];
}
