import { STORAGE_PREFIX, storedPrefix } from '@binnacle/api/table';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { KeyValue } from '@binnacle/kv';
import { readStoredValue, type StoredValue } from '../storedvalues/index.js';
import type { ClusterItems } from './cluster-source.js';
import { type Item, itemOf, metadataOf } from './item.js';

const SECRETS = storedPrefix({ group: '', resource: 'secrets' });
/** State of API servers that is not an API object: allocations of addresses and ports, and leases of the servers. */
const OWN_STATE = ['ranges', 'masterleases', 'peerserverleases'].map((name) => `${STORAGE_PREFIX}${name}/`);

/**
 * The objects among the values of a store, in the versions in which they are stored. Values that cannot be read are counted by reason. Rejects with an
 * Error that names the store, by `name`, when it holds no objects.
 */
export async function itemsOfValues(
  values: AsyncIterable<Pick<KeyValue, 'key' | 'value' | 'modRevision'>>,
  withSecrets: boolean,
  name: string,
): Promise<ClusterItems> {
  const items: Item[] = [];
  const unread = new Map<string, number>();
  for await (const { key, value, modRevision } of values) {
    // Secrets may be encrypted. That matters only if they are wanted.
    if (OWN_STATE.some((prefix) => key.startsWith(prefix)) || (!withSecrets && key.startsWith(SECRETS))) continue;
    const read = readItem(key, value, modRevision);
    if (typeof read !== 'string') items.push(read);
    else unread.set(read, (unread.get(read) ?? 0) + 1);
  }
  if (items.length === 0 && unread.size === 0) throw new Error(`${name} has no objects under ${STORAGE_PREFIX}`);
  return { items, unread: Array.from(unread, ([reason, count]) => `${reason} (${count})`) };
}

/** The object, with the revision of its last write, or the reason why the value cannot be read. */
function readItem(key: string, value: Uint8Array, revision: number): Item | string {
  let stored: StoredValue;
  try {
    stored = readStoredValue(value);
    if (stored.type === 'object') {
      const { object } = stored;
      return itemOf({ ...object, metadata: { ...metadataOf(object), resourceVersion: String(revision) } });
    }
  } catch (error) {
    return `${key}: ${messageOf(error)}`;
  }
  if (stored.type === 'encrypted') return `encrypted values below ${key.split('/').slice(0, 3).join('/')}`;
  return `${stored.kind} of ${stored.apiVersion}, which this version of Binnacle does not know`;
}
