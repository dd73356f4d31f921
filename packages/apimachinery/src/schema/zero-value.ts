import { isObject, type JsonObject, type JsonValue } from '../json/index.js';
import type { ValueSchema } from './types.js';

/** Whether `value` is Go's zero value of its type, or an empty list, map or struct. A decoded object omits these. */
export function isZeroValue(value: JsonValue, schema: ValueSchema): boolean {
  if (value === null) return true;
  switch (schema.kind) {
    case 'struct':
    case 'map':
      return isObject(value) && isEmpty(value);
    case 'list':
      return Array.isArray(value) && value.length === 0;
    default:
      return isZeroScalar(value, schema);
  }
}

/** Whether `value` is Go's zero value of this type. False for types that have parts. */
export function isZeroScalar(value: unknown, { kind }: ValueSchema): boolean {
  switch (kind) {
    case 'struct':
    case 'map':
    case 'list':
    case 'any':
      return false;
    case 'quantity':
      return value === '0';
    case 'duration':
      return value === '0s';
    case 'intOrString':
      return value === 0;
    default:
      return value === '' || value === 0 || value === false;
  }
}

function isEmpty(object: JsonObject): boolean {
  for (const key in object) if (object[key] !== undefined) return false;
  return true;
}
