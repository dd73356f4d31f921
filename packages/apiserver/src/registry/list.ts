import type { ObjectFilter } from '../cacher/index.js';
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

/**
 * Takes one page out of objects in key order. `more` tells that objects follow, selected or not: looking for a selected
 * one could cost as much as the whole list.
 */
export function takePage(
  objects: Iterable<StoredObject>,
  filter: ObjectFilter | undefined,
  limit: number,
): { items: StoredObject[]; more: boolean } {
  const items: StoredObject[] = [];
  for (const object of objects) {
    if (limit > 0 && items.length === limit) return { items, more: true };
    if (filter === undefined || filter(object)) items.push(object);
  }
  return { items, more: false };
}
