import { formatDuration } from '../../time/index.js';
import { TypeValue, typeNameOf, UnsignedInteger, type Value } from '../values.js';

/** A value in an error message, such as a missing key or an index out of range. */
export function displayValue(value: Value): string {
  if (value instanceof UnsignedInteger) return String(value.value);
  if (value instanceof TypeValue) return value.name;
  if (value === null || typeof value !== 'object') return String(value);
  if ('nanoseconds' in value) return formatDuration(value.nanoseconds);
  return typeNameOf(value);
}
