import { STORAGE_PREFIX } from '@binnacle/api/table';
import { readEtcdSnapshot, SnapshotError } from '@binnacle/kv/etcd/snapshot';
import type { ClusterItems } from './cluster-source.js';
import { itemsOfValues } from './stored-items.js';

/** The objects of kube-apiserver in a snapshot of its etcd. Rejects with an Error that names the file when the file is damaged. */
export async function itemsOfSnapshot(path: string, withSecrets: boolean): Promise<ClusterItems> {
  try {
    return await itemsOfValues(readEtcdSnapshot(path, STORAGE_PREFIX), withSecrets, path);
  } catch (error) {
    throw error instanceof SnapshotError ? new Error(`${path}: ${error.message}`, { cause: error }) : error;
  }
}
