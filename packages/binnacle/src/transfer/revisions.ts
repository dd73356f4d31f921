import { type Item, metadataOf } from './item.js';

/** An etcd without writes is at revision 1. */
const FIRST_REVISION = 2;

/** Items in the order in which a store has them. */
export interface Ordered {
  readonly items: readonly { readonly item: Item; readonly revision: number }[];
  /** The newest revision. */
  readonly revision: number;
}

/**
 * The revision of each item in a new store: that of its resourceVersion. If an item has none, or two have the same one, they are numbered in the
 * given order.
 */
export function withRevisions(items: readonly Item[]): Ordered {
  const own = items.map((item) => ({ item, revision: revisionOf(item) }));
  const isKept =
    own.every(({ revision }) => revision >= FIRST_REVISION) &&
    new Set(own.map(({ revision }) => revision)).size === items.length;
  const numbered = isKept
    ? own.sort((one, other) => one.revision - other.revision)
    : items.map((item, index) => ({ item, revision: FIRST_REVISION + index }));
  return { items: numbered, revision: numbered.at(-1)?.revision ?? FIRST_REVISION - 1 };
}

/** 0 for none. */
function revisionOf({ object }: Item): number {
  const text = metadataOf(object)['resourceVersion'];
  return typeof text === 'string' && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : 0;
}
