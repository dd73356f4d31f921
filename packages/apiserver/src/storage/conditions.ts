import type { Awaitable } from '@binnacle/apimachinery/work';
import type { KeyCondition, TxnResult } from '@binnacle/kv';
import type { StoredObject } from './stored-object.js';

/** A stored object in one version. */
export type StoredVersion = Pick<StoredObject, 'key' | 'revision'>;

/**
 * The objects that must still be stored in these versions when a new object is stored. `failedAttempts` counts the attempts that
 * failed because one of them had changed; after the first one, the function reads the newest state. It throws the reason why the
 * new object must not be stored, which ends the attempts.
 */
export type Conditions = (failedAttempts: number) => Awaitable<readonly StoredVersion[]>;

/** Writes under conditions. Repeats the write when one of them has changed meanwhile, until they throw. */
export async function writeUnder(
  conditions: Conditions | undefined,
  write: (conditions?: readonly KeyCondition[]) => Promise<TxnResult>,
): Promise<TxnResult> {
  if (conditions === undefined) return write();
  for (let failedAttempts = 0; ; failedAttempts++) {
    const versions = await conditions(failedAttempts);
    if (versions.length === 0) return write();
    const result = await write(versions.map(({ key, revision }) => ({ key, expectedRevision: revision })));
    if (result.succeeded || result.unmet === undefined) return result;
  }
}
