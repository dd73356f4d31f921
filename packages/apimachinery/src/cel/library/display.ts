import { formatDuration } from '../../time/index.js';
import { TypeValue, typeNameOf, UnsignedInteger, type Value } from '../values.js';

/** A value in a message: a key that is not there, an index that is too large. */
export function displayValue(value: Value): string {
  if (value instanceof UnsignedInteger) return String(value.value);
  if (value instanceof TypeValue) return value.name;
  if (value === null || typeof value !== 'object') return String(value);
  if ('nanoseconds' in value) return formatDuration(value.nanoseconds);
  return typeNameOf(value);
}
