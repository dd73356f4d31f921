import { open, stat } from 'node:fs/promises';
import { STORAGE_PREFIX } from '@binnacle/api/table';
import { isBoltHead, readEtcdSnapshot, SnapshotError } from '@binnacle/kv/etcd/snapshot';
import type { ClusterItems } from './cluster-source.js';
import { itemsOfValues } from './stored-items.js';

const HEAD_BYTES = 20;

/** Whether a path is a file of etcd's store. */
export async function isEtcdSnapshot(path: string): Promise<boolean> {
  // The beginning of a pipe can be read only once.
  if (!(await stat(path)).isFile()) return false;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return isBoltHead(buffer.subarray(0, bytesRead));
}

/** The objects of kube-apiserver in a snapshot of its etcd. Rejects with an Error that names the file when the file is damaged. */
export async function itemsOfSnapshot(path: string, withSecrets: boolean): Promise<ClusterItems> {
  try {
    return await itemsOfValues(readEtcdSnapshot(path, STORAGE_PREFIX), withSecrets, path);
  } catch (error) {
    throw error instanceof SnapshotError ? new Error(`${path}: ${error.message}`, { cause: error }) : error;
  }
}
