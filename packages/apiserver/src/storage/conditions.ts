import type { Awaitable } from '@binnacle/apimachinery/work';
import type { KeyCondition, TxnResult } from '@binnacle/kv';
import type { StoredObject } from './stored-object.js';

/** A stored object in one version. */
export type StoredVersion = Pick<StoredObject, 'key' | 'revision'>;

/**
 * What must be stored, unchanged, when a new object is. Called again, with `isRetry`, when one of them has changed: it then
 * reads the newest state. It throws the reason for which the new object may not be stored.
 */
export type Conditions = (isRetry: boolean) => Awaitable<readonly StoredVersion[]>;

/** Writes under conditions, again each time that one of them has changed meanwhile. */
export async function writeUnder(
  conditions: Conditions | undefined,
  write: (conditions?: readonly KeyCondition[]) => Promise<TxnResult>,
): Promise<TxnResult> {
  if (conditions === undefined) return write();
  for (let isRetry = false; ; isRetry = true) {
    const versions = await conditions(isRetry);
    if (versions.length === 0) return write();
    const result = await write(versions.map(({ key, revision }) => ({ key, expectedRevision: revision })));
    if (result.succeeded || result.unmet === undefined) return result;
  }
}
