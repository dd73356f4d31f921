import { compareUtf8 } from '@binnacle/apimachinery/json';
import { nextTurn } from '../slices/index.js';
import { keyAfter, type ObjectPage, type ObjectStorage, type UnreadableObject } from '../storage/index.js';
import { KeptObjects } from './kept-objects.js';

/** Objects per read: they take far more memory as read than as kept. */
const PAGE = 500;

/** All objects of a resource at one revision. */
export interface StateRead {
  readonly revision: number;
  readonly objects: KeptObjects;
  readonly damaged: readonly UnreadableObject[];
  /** How many objects had to be decoded. */
  readonly decoded: number;
}

/** Reads the newest state of the store, page by page; undefined = aborted. Throws StorageError. */
export async function readState(storage: ObjectStorage, signal: AbortSignal): Promise<StateRead | undefined> {
  const { prefix } = storage;
  const revision = await storage.currentRevision();
  if (signal.aborted) return undefined;
  const reader = storage.openReader(revision);
  const objects = new KeptObjects(reader);
  const damaged: UnreadableObject[] = [];
  let decoded = 0;
  try {
    for (let from: string | undefined = prefix; from !== undefined; ) {
      const page = await storage.page(prefix, { revision, from, limit: PAGE }, reader);
      if (signal.aborted) break;
      for (const object of page.items) objects.set(object);
      damaged.push(...page.damaged);
      decoded += page.prepared;
      const last = lastKey(page);
      from = page.more && last !== undefined ? keyAfter(last) : undefined;
      // An in-process store answers at once: without a pause, the whole read would block the event loop.
      if (from !== undefined) await nextTurn();
    }
  } catch (error) {
    objects.close();
    throw error;
  }
  if (!signal.aborted) return { revision, objects, damaged, decoded };
  objects.close();
  return undefined;
}

/** The last key of a page, readable or not. */
function lastKey({ items, damaged }: Pick<ObjectPage, 'items' | 'damaged'>): string | undefined {
  let last = items.at(-1)?.key;
  for (const { key } of damaged) if (last === undefined || compareUtf8(last, key) < 0) last = key;
  return last;
}
