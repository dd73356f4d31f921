import { open, stat } from 'node:fs/promises';
import { isBoltHead, readEtcdSnapshot, SnapshotError } from '@binnacle/kv/etcd/snapshot';
import { readStoredValue, type StoredValue } from '../storedvalues/index.js';
import type { ClusterItems } from './cluster-source.js';
import { type Item, itemOf } from './item.js';

/** Upstream: the default of `--etcd-prefix`. */
const PREFIX = '/registry/';
const SECRETS = `${PREFIX}secrets/`;
/** What API servers keep for themselves: allocations, and leases that are no objects of a client. */
const OWN_STATE = /^\/registry\/(?:ranges|masterleases|peerserverleases)\//;
const HEAD_BYTES = 20;

/** Whether a path is a file of etcd's store. */
export async function isEtcdSnapshot(path: string): Promise<boolean> {
  // The beginning of a pipe can be read only once.
  if (!(await stat(path)).isFile()) return false;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return isBoltHead(buffer.subarray(0, bytesRead));
}

/**
 * The objects of kube-apiserver in a snapshot of its etcd, in the versions in which it has stored them. What cannot be read is counted by its
 * reason. Rejects with an Error that names the file when the file is damaged or holds no objects.
 */
export async function itemsOfSnapshot(path: string, withSecrets: boolean): Promise<ClusterItems> {
  const items: Item[] = [];
  const unread = new Map<string, number>();
  try {
    for await (const { key, value } of readEtcdSnapshot(path, PREFIX)) {
      // They may be encrypted, which matters only to those who want them.
      if (OWN_STATE.test(key) || (!withSecrets && key.startsWith(SECRETS))) continue;
      const read = readItem(key, value);
      if (typeof read !== 'string') items.push(read);
      else unread.set(read, (unread.get(read) ?? 0) + 1);
    }
  } catch (error) {
    throw error instanceof SnapshotError ? new Error(`${path}: ${error.message}`, { cause: error }) : error;
  }
  if (items.length === 0 && unread.size === 0) throw new Error(`${path} has no objects under ${PREFIX}`);
  return { items, unread: Array.from(unread, ([reason, count]) => `${reason} (${count})`) };
}

/** An object, or why the value is none. */
function readItem(key: string, value: Uint8Array): Item | string {
  let stored: StoredValue;
  try {
    stored = readStoredValue(value);
    if (stored.type === 'object') return itemOf(stored.object);
  } catch (error) {
    return `${key}: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (stored.type === 'encrypted') return `encrypted values below ${key.split('/').slice(0, 3).join('/')}`;
  return `${stored.kind} of ${stored.apiVersion}, which this version of Binnacle does not know`;
}
