import { duplicate, type FieldError, invalidValue, required, tooMany } from '@binnacle/apimachinery/status';
import { resolveFieldPath, type SchemaNode } from '@binnacle/apimachinery/structural';
import type { SelectableField } from '../../generated/types/apiextensions-v1.js';

export const MAXIMUM_SELECTABLE_FIELDS = 8;

const selectableTypes: readonly string[] = ['string', 'boolean', 'integer'];

/** `allowMany`: a definition that already exceeds the limit may keep its fields. */
export function validateSelectableFields(
  fields: readonly SelectableField[],
  schema: SchemaNode,
  path: string,
  allowMany: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const place = `${path}[${index}].jsonPath`;
    if (jsonPath === '') {
      errors.push(required(place, ''));
      continue;
    }
    const resolved = resolveFieldPath(jsonPath, schema, false);
    if (typeof resolved === 'string') {
      errors.push(invalidValue(place, jsonPath, `is an invalid path: ${resolved}`));
      continue;
    }
    if (resolved.steps[0] === 'metadata') {
      errors.push(invalidValue(place, jsonPath, 'must not point to fields in metadata'));
    }
    if (!selectableTypes.includes(resolved.schema.type)) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalidValue(place, jsonPath, detail));
    }
    if (seen.has(resolved.text)) errors.push(duplicate(place, jsonPath));
    seen.add(resolved.text);
  }
  if (seen.size > MAXIMUM_SELECTABLE_FIELDS && !allowMany) {
    errors.push(tooMany(path, seen.size, MAXIMUM_SELECTABLE_FIELDS));
  }
  return errors;
}
