import { KVError } from '../interface/index.js';
import type { Backend, Pointer } from './backend.js';

/** How many records to read before yielding to other work. */
const RECORDS_PER_SLICE = 2000;

/** The keys that have changed since a revision, with their pointers at that revision; undefined: the key was absent. */
export interface ChangedKeys {
  has(key: string): boolean;
  /** `at`: the revision of the first change. */
  set(key: string, was: Pointer | undefined, at: number): void;
}

export interface ChangesSince {
  readonly backend: Backend;
  /** The newest committed revision. */
  readonly revision: () => number;
  readonly from: number;
  readonly changed: ChangedKeys;
  readonly pause: () => Promise<void>;
}

/**
 * Notes all changes since `from` but for a last slice, which the caller notes without a pause. Returns the revision before
 * that slice. The caller makes sure that no compaction removes records after `from` meanwhile.
 */
export async function noteMostChanges({ backend, revision, from, changed, pause }: ChangesSince): Promise<number> {
  let seen = from;
  while (revision() - seen > RECORDS_PER_SLICE) {
    noteChanges(backend, changed, seen, seen + RECORDS_PER_SLICE);
    seen += RECORDS_PER_SLICE;
    await pause();
  }
  return seen;
}

/** Notes the first change of each key after revision `from`, up to `through`. Throws `corrupt`. */
export function noteChanges(backend: Backend, changed: ChangedKeys, from: number, through: number): void {
  for (let revision = from + 1; revision <= through; revision += 1) {
    const header = backend.header(revision);
    if (header === undefined) {
      throw new KVError('corrupt', `the record of revision ${revision} is missing from the store`);
    }
    const { key, createRevision, previousRevision } = header;
    if (changed.has(key)) continue;
    changed.set(key, previousRevision === 0 ? undefined : { createRevision, modRevision: previousRevision }, revision);
  }
}
