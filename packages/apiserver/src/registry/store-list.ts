import { compareUtf8 } from '@binnacle/apimachinery/json';
import { resourceExpired, tooLargeResourceVersion } from '@binnacle/apimachinery/status';
import { inTurns } from '../slices/index.js';
import {
  type ContinueToken,
  encodeContinueToken,
  forgottenBefore,
  keyAfter,
  MAX_UNREADABLE,
  type ObjectPage,
  type ObjectStorage,
  StorageError,
  type StoredObject,
  type UnreadableObject,
  unreadableError,
  type ValueReader,
} from '../storage/index.js';
import { type ListAnswer, type ListHold, type ListObserver, type ListRequest, untilFull } from './list.js';

/** Objects per read while a filtered page fills. */
const SELECTIVE_PAGE = 500;
/** Objects per read from a store whose values come into memory. */
const LOADED_PAGE = 1000;

export interface StoreListOptions {
  /** The state to read; undefined = the newest. */
  readonly revision: number | undefined;
  readonly prefix: string;
  /** The key of the only possible match; absent = every key under the prefix. */
  readonly key?: string | undefined;
  /** Key to start at. */
  readonly from: string;
  readonly filter: ListRequest['filter'];
  /** 0 = no limit. */
  readonly limit: number;
  /** The cached instance of the same object, with its computed values; otherwise the given one. */
  readonly known: (stored: StoredObject) => StoredObject;
  /** Present when this list continues an earlier page. */
  readonly token?: ContinueToken | undefined;
  readonly observer: ListObserver | undefined;
  readonly hold?: ListHold | undefined;
}

/**
 * Lists from the store, all at one revision. Throws 410 for a compacted revision and 504 for a future one, and StorageError
 * `damaged`, with all objects that cannot be read. A list of any size leaves values in the store if that can be, and reserves
 * memory for what it loads otherwise.
 */
export async function listFromStore(storage: ObjectStorage, options: StoreListOptions): Promise<ListAnswer> {
  const { prefix, limit, filter, known, hold } = options;
  const items: StoredObject[] = [];
  const reader = openReader(storage, options);
  const most = reader === undefined ? LOADED_PAGE : Number.POSITIVE_INFINITY;
  let { revision, from } = options;
  let fetched = 0;
  let evaluated = 0;
  for (;;) {
    const wanted = limit === 0 ? most : filter === undefined ? limit - items.length : Math.max(limit, SELECTIVE_PAGE);
    const page = await readPage(storage, { ...options, revision, from, limit: Math.min(wanted, most) }, reader);
    revision = page.revision;
    fetched += page.items.length;
    let seen = 0;
    let loaded = 0;
    const unreadable = [...page.damaged];
    await inTurns(untilFull(page.items, items, limit), (stored) => {
      seen++;
      const object = known(stored);
      const problem = object.prepare();
      if (problem !== undefined) unreadable.push(problem);
      else if (filter === undefined || filter(object)) {
        items.push(object);
        if (reader === undefined && object === stored) loaded += stored.size;
      }
    });
    if (unreadable.length > 0) throw await withLaterOnes(storage, options, page, unreadable, items.length);
    hold?.reserve(loaded);
    const rest = page.count - seen;
    const last = page.items[seen - 1];
    if (filter !== undefined) evaluated += seen;
    if (rest === 0 || last === undefined || items.length === limit) {
      options.observer?.fromStore(fetched, evaluated, items.length);
    }
    if (rest === 0 || last === undefined) return { revision, items, continueToken: '' };
    if (items.length === limit)
      return answerPage(revision, items, last, prefix, filter === undefined ? rest : undefined);
    from = keyAfter(last.key);
  }
}

/**
 * The error of a list that finds these objects in a page, with those of later pages that the list would read: until it is full.
 * `readable`: how many objects it has.
 */
async function withLaterOnes(
  storage: ObjectStorage,
  { prefix, key, limit, filter }: StoreListOptions,
  { revision, items, more }: ObjectPage,
  found: UnreadableObject[],
  readable: number,
): Promise<StorageError> {
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit - readable;
  let last = more && key === undefined ? lastKey(items, found) : undefined;
  while (last !== undefined && left > 0 && found.length <= MAX_UNREADABLE) {
    const page = await storage.page(prefix, { revision, from: keyAfter(last), limit: SELECTIVE_PAGE }, undefined);
    const matching = page.items.filter(filter ?? (() => true));
    // The list ends with the object that fills it.
    const end = matching[left - 1]?.key;
    found.push(...page.damaged.filter((object) => end === undefined || compareUtf8(object.key, end) < 0));
    left -= matching.length;
    last = page.more ? lastKey(page.items, page.damaged) : undefined;
  }
  return unreadableError(found.sort((one, other) => compareUtf8(one.key, other.key)));
}

function lastKey(...objects: readonly (readonly { readonly key: string }[])[]): string | undefined {
  const last = objects.map((each) => each.at(-1)?.key).filter((key) => key !== undefined);
  return last.sort(compareUtf8).at(-1);
}

/** A reader of a past state; undefined = the store has none, or the list reads few objects. */
function openReader(storage: ObjectStorage, { revision, key, limit, hold }: StoreListOptions): ValueReader | undefined {
  const isSmall = key !== undefined || (limit > 0 && limit <= LOADED_PAGE);
  if (hold === undefined || revision === undefined || isSmall) return undefined;
  const reader = unlessGone(() => storage.openReader(revision));
  if (reader !== undefined) hold.whenUsed(() => reader.close());
  return reader;
}

/** The read that follows reports a revision that the store does not have. */
function unlessGone<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof StorageError && (error.code === 'expired' || error.code === 'future')) return undefined;
    throw error;
  }
}

async function readPage(
  storage: ObjectStorage,
  { prefix, key, token, revision, from, limit }: StoreListOptions,
  reader: ValueReader | undefined,
) {
  const bounds = { from, ...(Number.isFinite(limit) ? { limit } : {}) };
  try {
    if (reader !== undefined && revision !== undefined) {
      return await storage.listInPlace(prefix, { ...bounds, revision, damaged: 'report' }, reader);
    }
    return await storage.list(key ?? prefix, {
      ...bounds,
      exact: key !== undefined,
      damaged: 'report',
      ...(revision === undefined ? {} : { revision }),
    });
  } catch (error) {
    if (error instanceof StorageError && error.code === 'future') {
      throw tooLargeResourceVersion(revision ?? 0, await storage.currentRevision());
    }
    if (error instanceof StorageError && error.code === 'expired') throw expired(token, prefix, forgottenBefore(error));
    throw error;
  }
}

/** One page of the state at `revision`, and the token of the next page. */
export function answerPage(
  revision: number,
  items: readonly StoredObject[],
  last: StoredObject,
  prefix: string,
  remaining: number | undefined,
): ListAnswer {
  const continueToken = encodeContinueToken({ revision, startKey: keyAfter(last.key) }, prefix);
  return remaining === undefined
    ? { revision, items, continueToken }
    : { revision, items, continueToken, remainingItemCount: remaining };
}

/** The 410 for a compacted revision, with a token that continues inconsistently. */
function expired(token: ContinueToken | undefined, prefix: string, forgotten: number | undefined): Error {
  if (token === undefined) {
    const why = forgotten === undefined ? '' : ` The values of these objects before ${forgotten} are forgotten.`;
    return resourceExpired(`The resourceVersion for the provided list is too old.${why}`);
  }
  return resourceExpired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinueToken({ revision: -1, startKey: token.startKey }, prefix),
  );
}
