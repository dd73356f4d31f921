import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Conditions } from './conditions.js';
import type { StoredObject } from './stored-object.js';

export interface Deletion {
  readonly type: 'delete';
}

export interface Write {
  readonly type: 'write';
  readonly object: KubernetesObject;
  readonly ttlSeconds?: number | undefined;
  /** The write is part of a deletion, for which a full store keeps space. */
  readonly forDeletion?: boolean | undefined;
  /** Fails if the object is too large with its managed fields. Other writes, and those for a deletion, then leave them out. */
  readonly requiresManagers?: boolean | undefined;
  /** Of a write that creates the object. */
  readonly conditions?: Conditions | undefined;
}

/** What to do with an object inside {@link updateOptimistically}. */
export type Change = (Write | Deletion | { readonly type: 'nothing' }) & {
  /** What was claimed for the change. */
  readonly claims?: { release(): void | Promise<void> };
};

export interface ChangeResult<C extends Change = Change> {
  /** The last decision. The caller owns its claims. */
  readonly change: C;
  /** The state that it was made on; undefined if there was no object. */
  readonly base: StoredObject | undefined;
  /**
   * The object after the change; for a delete, the deleted object with the delete's revision. Undefined if there was no
   * object and none was written.
   */
  readonly stored: StoredObject | undefined;
  readonly changed: boolean;
}

/** The object's place in the store. */
export interface Place {
  /** The newest state; undefined if there is no object. */
  read(): Promise<StoredObject | undefined>;
  /** Writes the object if `base` is its state. */
  write(base: StoredObject | undefined, change: Write): Promise<Outcome>;
  /** Deletes the object if `base` is its state. */
  delete(base: StoredObject): Promise<Outcome>;
}

/** What became of one attempt. */
export type Outcome =
  | { readonly type: 'changed'; readonly stored: StoredObject }
  /** Nothing was written, because the store holds these bytes in `base`. */
  | { readonly type: 'unchanged' }
  /** `base` is not the newest state. */
  | Stale;

interface Stale {
  readonly type: 'stale';
  readonly newest: StoredObject | undefined;
}

/** A state to decide on, and whether the store has just returned it. */
interface Base {
  readonly object: StoredObject | undefined;
  readonly isFresh: boolean;
}

export type Decide<C extends Change> = (current: StoredObject | undefined) => C | Promise<C>;

/** The loop of {@link ObjectStorage.update}, which states its contract. Upstream: `GuaranteedUpdate` of etcd3's store. */
export async function updateOptimistically<C extends Change>(
  place: Place,
  suggestion: StoredObject | undefined,
  decide: Decide<C>,
): Promise<ChangeResult<C>> {
  let base: Base = { object: suggestion ?? (await place.read()), isFresh: suggestion === undefined };
  for (;;) {
    const attempt = await attemptOn(place, base, decide);
    if (attempt.type === 'last') return attempt.result;
    base = { object: attempt.newest, isFresh: true };
  }
}

async function attemptOn<C extends Change>(
  place: Place,
  base: Base,
  decide: Decide<C>,
): Promise<Stale | { readonly type: 'last'; readonly result: ChangeResult<C> }> {
  let change: C;
  try {
    change = await decide(base.object);
  } catch (error) {
    const outcome = await unchanged(place, base);
    if (outcome.type === 'unchanged') throw error;
    return outcome;
  }
  let isLast = false;
  try {
    const outcome = await carryOut(place, base, change);
    if (outcome.type === 'stale') return outcome;
    isLast = true;
    const changed = outcome.type === 'changed';
    const stored = changed ? outcome.stored : base.object;
    return { type: 'last', result: { change, base: base.object, stored, changed } };
  } finally {
    if (!isLast) await change.claims?.release();
  }
}

async function carryOut(place: Place, base: Base, change: Change): Promise<Outcome> {
  const outcome = await attempted(place, base.object, change);
  return outcome.type === 'unchanged' ? unchanged(place, base) : outcome;
}

async function attempted(place: Place, base: StoredObject | undefined, change: Change): Promise<Outcome> {
  if (change.type === 'write') return place.write(base, change);
  if (change.type === 'delete' && base !== undefined) return place.delete(base);
  return { type: 'unchanged' };
}

/**
 * The store has compared nothing, so the attempt is the last one only if its state is the newest. An outdated form shows
 * only when the store is read.
 */
async function unchanged(place: Place, { object, isFresh }: Base): Promise<Stale | { readonly type: 'unchanged' }> {
  if (isFresh) return { type: 'unchanged' };
  const newest = await place.read();
  const isNewest = newest?.revision === object?.revision && newest?.isOutdated !== true;
  return isNewest ? { type: 'unchanged' } : { type: 'stale', newest };
}
