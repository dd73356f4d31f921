import { resourceExpired, tooLargeResourceVersion } from '@binnacle/apimachinery/status';
import {
  type ContinueToken,
  encodeContinueToken,
  forgottenBefore,
  keyAfter,
  type ObjectStorage,
  StorageError,
  type StoredObject,
} from '../storage/index.js';
import type { ListAnswer, ListObserver, ListRequest } from './list.js';

/** Objects per read while a filtered page fills. */
const SELECTIVE_PAGE = 500;

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
}

/** Lists from the store, all at one revision. Throws 410 for a compacted revision and 504 for a future one. */
export async function listFromStore(storage: ObjectStorage, options: StoreListOptions): Promise<ListAnswer> {
  const { prefix, limit, filter, known } = options;
  const items: StoredObject[] = [];
  let { revision, from } = options;
  let fetched = 0;
  let evaluated = 0;
  for (;;) {
    const size = limit === 0 ? undefined : filter === undefined ? limit : Math.max(limit, SELECTIVE_PAGE);
    const page = await readPage(storage, options, revision, from, size);
    revision = page.revision;
    fetched += page.items.length;
    let seen = 0;
    for (const stored of page.items) {
      seen++;
      const object = known(stored);
      if (filter !== undefined && !filter(object)) continue;
      items.push(object);
      if (items.length === limit) break;
    }
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

async function readPage(
  storage: ObjectStorage,
  { prefix, key, token }: StoreListOptions,
  revision: number | undefined,
  from: string,
  limit: number | undefined,
) {
  try {
    return await storage.list(key ?? prefix, {
      from,
      exact: key !== undefined,
      ...(revision === undefined ? {} : { revision }),
      ...(limit === undefined ? {} : { limit }),
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
