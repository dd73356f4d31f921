import type { ObjectFilter } from '../cacher/index.js';
import { inTurns } from '../slices/index.js';
import type { StoredObject } from '../storage/index.js';

/** Which state a read may answer from. */
export interface VersionDemand {
  /** '' = most recent, '0' = any, else at least (or exactly) this revision. */
  readonly resourceVersion: string;
  readonly match?: 'Exact' | 'NotOlderThan';
}

export interface ListRequest extends VersionDemand {
  /** '' = all namespaces. */
  readonly namespace: string;
  /** Only this name, when the selector says so. */
  readonly name?: string;
  /** The whole selection; undefined = everything. */
  readonly filter: ObjectFilter | undefined;
  /** 0 = no limit. */
  readonly limit: number;
  /** '' = from the start. */
  readonly continueToken: string;
}

export interface ListAnswer {
  readonly revision: number;
  readonly items: readonly StoredObject[];
  /** '' when this is the end. */
  readonly continueToken: string;
  /** How many more there are; unknown with a selector. */
  readonly remainingItemCount?: number;
}

/** Told what lists have cost. It must not throw. */
export interface ListObserver {
  /** A list was answered out of the cache; `index`: the field by whose value the objects were found, or empty. */
  fromCache(index: string, fetched: number, returned: number): void;
  /** A list was answered out of the store; `evaluated`: how many objects a selector was held against. */
  fromStore(fetched: number, evaluated: number, returned: number): void;
}

/**
 * Takes one page out of objects in key order. `more` tells that objects follow, selected or not: looking for a selected
 * one could cost as much as the whole list. `fetched` counts what was looked at.
 */
export function takePage(
  objects: Iterable<StoredObject>,
  filter: ObjectFilter | undefined,
  limit: number,
): { items: StoredObject[]; fetched: number; more: boolean } {
  const items: StoredObject[] = [];
  let fetched = 0;
  for (const object of objects) {
    if (limit > 0 && items.length === limit) return { items, fetched, more: true };
    fetched++;
    if (filter === undefined || filter(object)) items.push(object);
  }
  return { items, fetched, more: false };
}

/**
 * The same with a selection, in short turns: it may have to look at every object. The objects are taken down at once, so that they are those of
 * one state.
 */
export async function selectPage(
  objects: Iterable<StoredObject>,
  filter: ObjectFilter,
  limit: number,
): Promise<{ items: StoredObject[]; fetched: number; more: boolean }> {
  const items: StoredObject[] = [];
  let fetched = 0;
  let more = false;
  await inTurns(Array.from(objects), (object) => {
    more ||= limit > 0 && items.length === limit;
    if (more) return;
    fetched++;
    if (filter(object)) items.push(object);
  });
  return { items, fetched, more };
}
