import { compareUtf8 } from '../json/index.js';
import { type Manager, managerKey, type Managers, unixSeconds } from './managers.js';

const MAXIMUM_UPDATE_MANAGERS = 10;
const BUCKET_NAME = 'ancient-changes';

/**
 * At most ten entries of updates: the oldest of each version are merged into one entry `ancient-changes`.
 * Upstream: apimachinery `managedfields/internal/capmanagers.go`.
 */
export function capManagers(managers: Managers): Managers {
  let excess = -MAXIMUM_UPDATE_MANAGERS;
  for (const manager of managers.values()) if (manager.operation === 'Update') excess++;
  if (excess <= 0) return managers;
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  for (const [key, manager] of oldestUpdates(managers)) {
    if (excess === 0) break;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(manager.apiVersion, key);
      continue;
    }
    const bucket: Omit<Manager, 'fields' | 'time'> = {
      name: BUCKET_NAME,
      operation: 'Update',
      apiVersion: manager.apiVersion,
      subresource: '',
    };
    const bucketKey = managerKey(bucket);
    const held = capped.get(bucketKey) ?? capped.get(first);
    if (!capped.has(bucketKey)) capped.delete(first);
    capped.delete(key);
    const fields = held === undefined ? manager.fields : manager.fields.union(held.fields);
    capped.set(bucketKey, { ...bucket, time: manager.time, fields });
    excess--;
  }
  return capped;
}

function oldestUpdates(managers: Managers): [string, Manager][] {
  return [...managers]
    .filter(([, manager]) => manager.operation === 'Update')
    .sort((a, b) => unixSeconds(a[1].time) - unixSeconds(b[1].time) || compareUtf8(a[0], b[0]));
}
