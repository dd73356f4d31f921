import type { ObjectFilter } from '../cacher/index.js';
import type { StateDemand } from '../request/index.js';
import { inTurns } from '../slices/index.js';
import type { StoredObject } from '../storage/index.js';

export interface ListRequest {
  /** '' = all namespaces. */
  readonly namespace: string;
  /** Set when the selector names a single object. */
  readonly name?: string | undefined;
  /** The selectors; undefined = everything. */
  readonly filter?: ObjectFilter | undefined;
  /** 0 = no limit, the default. */
  readonly limit?: number;
  /** '' = from the start, the default. The token decides the state. */
  readonly continueToken?: string;
  /** Default: the newest state. */
  readonly demand?: StateDemand;
  /** Ends the wait for the state. */
  readonly signal?: AbortSignal | undefined;
  /** For lists of any size: what the list may hold. */
  readonly hold?: ListHold | undefined;
}

/** Memory and a reader, which a list from the store holds until its caller has used the answer. */
export interface ListHold {
  /** Reserves memory for the bytes of objects. Throws if there is not enough. */
  readonly reserve: (bytes: number) => void;
  /** The caller calls the function when it has used the answer. Until then, objects may read values from the store. */
  readonly whenUsed: (release: () => void) => void;
}

export interface ListAnswer {
  readonly revision: number;
  readonly items: readonly StoredObject[];
  /** '' on the last page. */
  readonly continueToken: string;
  /** The number of objects after this page; unknown with a selector. */
  readonly remainingItemCount?: number;
}

/** Receives the cost of each list. It must not throw. */
export interface ListObserver {
  /** A list requires the newest state. The store answers it if the cache cannot. */
  consistent(source: 'cache' | 'store'): void;
  /** The cache answered a list. `index` is the field whose index found the objects, or empty. */
  fromCache(index: string, fetched: number, returned: number): void;
  /** The store answered a list. `evaluated` is the number of objects tested against a selector. */
  fromStore(fetched: number, evaluated: number, returned: number): void;
}

/**
 * Takes one page from objects in key order. `more` reports that objects follow, whether they match or not: the search
 * for the next match could cost as much as the whole list. `fetched` is the number of objects examined.
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
 * Like {@link takePage} with a selector, in slices, because it may examine every object. It copies the list of
 * objects first, so that all belong to one state.
 */
export async function selectPage(
  objects: Iterable<StoredObject>,
  filter: ObjectFilter,
  limit: number,
): Promise<{ items: StoredObject[]; fetched: number; more: boolean }> {
  const all = Array.from(objects);
  const items: StoredObject[] = [];
  let fetched = 0;
  await inTurns(untilFull(all, items, limit), (object) => {
    fetched++;
    if (filter(object)) items.push(object);
  });
  return { items, fetched, more: fetched < all.length };
}

/** The objects until the page is full, so that no turn is spent on those after it. `limit`: 0 = never. */
export function* untilFull(
  objects: readonly StoredObject[],
  page: readonly StoredObject[],
  limit: number,
): Iterable<StoredObject> {
  for (const object of objects) {
    if (limit > 0 && page.length === limit) return;
    yield object;
  }
}
