import { Duration, Timestamp, typeNameOf, type Value } from '../cel/index.js';

/** A string that is equal exactly for equal scalars. Values that are not scalars have none of their own. */
export function scalarKey(value: Value | undefined): string {
  if (value === undefined) return '';
  return `${typeNameOf(value)} ${contentOf(value)}`;
}

function contentOf(value: Value): string {
  if (value instanceof Timestamp || value instanceof Duration) return String(value.nanoseconds);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'object' ? '' : String(value);
}
