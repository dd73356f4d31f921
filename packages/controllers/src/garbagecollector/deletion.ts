import type { ObjectMeta } from '@binnacle/client/typed';

/** What an object that is deleted waits for: that what it owns lets go of it, or is gone. */
export type Waiting = 'orphans' | 'dependents';

export const FINALIZERS: Readonly<Record<Waiting, string>> = { orphans: 'orphan', dependents: 'foregroundDeletion' };

export function isBeingDeleted({ deletionTimestamp }: ObjectMeta): boolean {
  return typeof deletionTimestamp === 'string';
}

/** Undefined too for an object that is not being deleted, whatever its finalizers. */
export function waitingOf(metadata: ObjectMeta): Waiting | undefined {
  if (!isBeingDeleted(metadata)) return undefined;
  if (hasFinalizer(metadata, 'orphans')) return 'orphans';
  return hasFinalizer(metadata, 'dependents') ? 'dependents' : undefined;
}

export function hasFinalizer({ finalizers }: ObjectMeta, waiting: Waiting): boolean {
  return finalizers?.includes(FINALIZERS[waiting]) === true;
}
