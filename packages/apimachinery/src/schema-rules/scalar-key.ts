import { Duration, Timestamp, typeNameOf, type Value } from '../cel/index.js';

/** A text that is the same for equal scalars, and for no others. What is no scalar has none of its own. */
export function scalarKey(value: Value | undefined): string {
  if (value === undefined) return '';
  return `${typeNameOf(value)} ${contentOf(value)}`;
}

function contentOf(value: Value): string {
  if (value instanceof Timestamp || value instanceof Duration) return String(value.nanoseconds);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'object' ? '' : String(value);
}
