import { endOfValue, startsAt } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { StorageError } from './errors.js';
import type { StorageCodec } from './codec.js';

/**
 * The most bytes of managed fields that an object is stored with: etcd's default limit of a whole request, so that no store takes
 * more of them than kube-apiserver does.
 */
export const MAX_MANAGERS_BYTES = 1.5 * 1024 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const managedFields = Buffer.from('"managedFields":');

/** Throws StorageError `too-large` if these canonical bytes have more managed fields than {@link MAX_MANAGERS_BYTES}. */
export function checkManagersSize(codec: StorageCodec, canonical: Uint8Array): void {
  if (canonical.length <= MAX_MANAGERS_BYTES) return;
  if (managersSize(canonical, codec.metadataOffset(canonical)) <= MAX_MANAGERS_BYTES) return;
  throw new StorageError('too-large', 'etcdserver: request is too large');
}

/** The object without its managed fields; undefined if it has none. */
export function withoutManagers(object: Readonly<KubernetesObject>): KubernetesObject | undefined {
  if (object.metadata.managedFields === undefined) return undefined;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The length of the managed fields in an object's compact JSON, whose metadata begins at `offset`. */
function managersSize(json: Uint8Array, offset: number): number {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  let at = endOfValue(bytes, offset) + 2;
  while (bytes[at] === QUOTE) {
    const isFound = startsAt(bytes, managedFields, at);
    const value = endOfValue(bytes, at) + 1;
    const end = endOfValue(bytes, value);
    if (isFound) return end - value;
    at = bytes[end] === COMMA ? end + 1 : end;
  }
  return 0;
}
