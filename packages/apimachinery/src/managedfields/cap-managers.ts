import { compareUtf8 } from '../json/index.js';
import { emptyFieldSet, FieldSetBuilder } from './fieldsets/field-set.js';
import { type Manager, managerKey, type Managers, unixSeconds } from './managers.js';

const MAXIMUM_UPDATE_MANAGERS = 10;
const BUCKET_NAME = 'ancient-changes';

interface Bucket {
  readonly apiVersion: string;
  time: string | undefined;
  readonly fields: FieldSetBuilder;
}

/**
 * Limits update entries to ten: merges the oldest of each version into one entry `ancient-changes`. An entry that
 * already has this name and would be merged is lost, like upstream. Upstream: apimachinery `managedfields/internal/capmanagers.go`.
 */
export function capManagers(managers: Managers): Managers {
  let excess = -MAXIMUM_UPDATE_MANAGERS;
  for (const manager of managers.values()) if (manager.operation === 'Update') excess++;
  if (excess <= 0) return managers;
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  const buckets = new Map<string, Bucket>();
  for (const [key, { apiVersion, fields, time }] of oldestUpdates(managers)) {
    if (excess === 0) break;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, key);
      continue;
    }
    const bucketKey = managerKey(bucketOf(apiVersion));
    let bucket = buckets.get(bucketKey);
    if (bucket === undefined) {
      const heldKey = capped.has(bucketKey) ? bucketKey : first;
      bucket = { apiVersion, time, fields: new FieldSetBuilder() };
      bucket.fields.add(capped.get(heldKey)?.fields ?? emptyFieldSet);
      capped.delete(heldKey);
      buckets.set(bucketKey, bucket);
    }
    bucket.fields.add(fields);
    bucket.time = time;
    capped.delete(key);
    if (key === bucketKey) buckets.delete(key);
    excess--;
  }
  for (const [key, { apiVersion, time, fields }] of buckets) {
    capped.set(key, { ...bucketOf(apiVersion), time, fields: fields.build() });
  }
  return capped;
}

function bucketOf(apiVersion: string): Omit<Manager, 'fields' | 'time'> {
  return { name: BUCKET_NAME, operation: 'Update', apiVersion, subresource: '' };
}

function oldestUpdates(managers: Managers): [string, Manager][] {
  return [...managers]
    .filter(([, manager]) => manager.operation === 'Update')
    .sort((a, b) => unixSeconds(a[1].time) - unixSeconds(b[1].time) || compareUtf8(a[0], b[0]));
}
