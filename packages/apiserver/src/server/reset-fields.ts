import type { ResourceFacts } from '@binnacle/api/table';
import { FieldSet, fieldElement } from '@binnacle/apimachinery/managedfields';

/** What a write to an object with a status subresource cannot set. Upstream: `rest.ResetFieldsStrategy`. */
export const statusFields: FieldSet = FieldSet.of([fieldElement('status')]);

/** What a write to that status cannot set. */
export const specFields: FieldSet = FieldSet.of([fieldElement('spec')]);

export function hasStatus(facts: ResourceFacts): boolean {
  return facts.subresources?.some((subresource) => subresource.name === 'status') === true;
}
