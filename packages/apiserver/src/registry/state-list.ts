import { compareUtf8 } from '@binnacle/apimachinery/json';
import type { ObjectFilter, ObjectState } from '../cacher/index.js';
import { keyAfter } from '../storage/index.js';
import { type ListAnswer, type ListObserver, selectPage, takePage } from './list.js';
import { answerPage } from './store-list.js';

export interface StateListOptions {
  readonly prefix: string;
  /** The key of the only possible match; undefined = every key under the prefix. */
  readonly key: string | undefined;
  /** Key to start at. */
  readonly from: string;
  readonly filter: ObjectFilter | undefined;
  /** 0 = no limit. */
  readonly limit: number;
  readonly observer: ListObserver | undefined;
}

/** Lists from a state in the cache, which it reads before its first await. */
export async function listFromState(
  state: ObjectState,
  revision: number,
  { prefix, key, from, filter, limit, observer }: StateListOptions,
): Promise<ListAnswer> {
  if (key !== undefined) {
    const object = compareUtf8(key, from) < 0 ? undefined : state.get(key);
    const items = object !== undefined && (filter?.(object) ?? true) ? [object] : [];
    observer?.fromCache('', object === undefined ? 0 : 1, items.length);
    return { revision, items, continueToken: '' };
  }
  const objects = state.range(prefix, from);
  const { items, fetched, more } =
    filter === undefined ? takePage(objects, undefined, limit) : await selectPage(objects, filter, limit);
  observer?.fromCache('', fetched, items.length);
  const last = items.at(-1);
  if (!more || last === undefined) return { revision, items, continueToken: '' };
  const remaining = filter === undefined ? state.count(prefix, keyAfter(last.key)) : undefined;
  return answerPage(revision, items, last, prefix, remaining);
}
