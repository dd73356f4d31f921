import {
  badRequest,
  notFound,
  resourceExpired,
  tooLargeResourceVersion,
  tooManyRequests,
  unclassified,
} from '@binnacle/apimachinery/status';
import type { Cacher, CacherWatch, ObjectFilter } from '../cacher/index.js';
import {
  type ContinueToken,
  decodeContinueToken,
  encodeContinueToken,
  keyAfter,
  type ObjectStorage,
  StorageError,
  type StoredObject,
} from '../storage/index.js';
import { type ListAnswer, type ListRequest, takePage } from './list.js';
import { checkPathSegment, collectionPrefix, objectKey, type ResourceInfo } from './resource-info.js';

/** How long a read waits for a revision that has not been reached. Upstream: cacher `blockTimeout`. */
const FRESHNESS_TIMEOUT_MS = 3000;
const BUILD_TIMEOUT_MS = 10_000;
/** Objects read at once from history while a selection fills its page. */
const HISTORY_PAGE = 500;

/**
 * Reads of one resource under every rule of resourceVersion. Upstream: apiserver `pkg/storage/cacher/delegator.go`.
 */
export class ResourceReader {
  readonly #info: ResourceInfo;
  readonly #storage: ObjectStorage;
  readonly #cacher: Cacher;

  constructor(info: ResourceInfo, storage: ObjectStorage, cacher: Cacher) {
    this.#info = info;
    this.#storage = storage;
    this.#cacher = cacher;
  }

  get cacher(): Cacher {
    return this.#cacher;
  }

  /** The object, or 404. */
  async get(namespace: string, name: string, resourceVersion: string): Promise<StoredObject> {
    checkPathSegment(name);
    const found = await this.find(namespace, name, resourceVersion);
    if (found === undefined) throw notFound(this.#info.resource, name);
    return found;
  }

  async find(namespace: string, name: string, resourceVersion = ''): Promise<StoredObject | undefined> {
    await this.#fresh(resourceVersion, unclassified);
    return this.#cacher.get(objectKey(this.#info, namespace, name));
  }

  async list(request: ListRequest): Promise<ListAnswer> {
    const prefix = collectionPrefix(this.#info, request.namespace);
    if (request.continueToken !== '') return this.#continueList(request, prefix);
    const resourceVersion = isZero(request.resourceVersion) ? '0' : request.resourceVersion;
    const isNumber = resourceVersion !== '' && resourceVersion !== '0';
    const exact = request.match === 'Exact' || (request.match === undefined && request.limit > 0);
    if (exact && isNumber) {
      const revision = parseRevision(resourceVersion, invalidListVersion);
      await this.#fresh('', unclassified);
      return this.#listAt(revision, prefix, prefix, request);
    }
    await this.#fresh(resourceVersion, invalidListVersion);
    // With '0' upstream's cache ignores the limit.
    return this.#listFromCache(
      this.#cacher.revision,
      prefix,
      prefix,
      request,
      resourceVersion === '0' ? 0 : request.limit,
    );
  }

  /**
   * Opens a watch: with `initialEvents` the current objects come first, else the changes after `resourceVersion`, or
   * after now when that says nothing. The caller stops it.
   */
  async watch(
    request: { namespace: string; name?: string; filter: ObjectFilter | undefined },
    resourceVersion: string,
    initialEvents: boolean,
  ): Promise<CacherWatch> {
    await this.#build();
    const prefix =
      request.name === undefined || (this.#info.namespaced && request.namespace === '')
        ? collectionPrefix(this.#info, request.namespace)
        : objectKey(this.#info, request.namespace, request.name);
    const { filter } = request;
    const revision = resourceVersion === '' ? 0 : parseRevision(resourceVersion, unclassified);
    if (initialEvents || revision === 0) await this.#fresh(resourceVersion, unclassified);
    if (initialEvents) return this.#cacher.watch({ prefix, filter, fromRevision: undefined });
    return this.#cacher.watch({ prefix, filter, fromRevision: revision === 0 ? this.#cacher.revision : revision });
  }

  #listFromCache(revision: number, prefix: string, from: string, request: ListRequest, limit: number): ListAnswer {
    if (request.name !== undefined && (!this.#info.namespaced || request.namespace !== '')) {
      const object = this.#cacher.get(objectKey(this.#info, request.namespace, request.name));
      const items = object !== undefined && (request.filter?.(object) ?? true) ? [object] : [];
      return { revision, items, continueToken: '' };
    }
    const { items, more } = takePage(this.#cacher.range(prefix, from), request.filter, limit);
    const last = items.at(-1);
    if (!more || last === undefined) return { revision, items, continueToken: '' };
    const remaining = request.filter === undefined ? this.#cacher.count(prefix, keyAfter(last.key)) : undefined;
    return answerPage(revision, items, last, prefix, remaining);
  }

  async #continueList(request: ListRequest, prefix: string): Promise<ListAnswer> {
    if (request.resourceVersion !== '' && request.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const token = decodeContinueToken(request.continueToken, prefix);
    if ('error' in token) throw badRequest(`invalid continue token: ${token.error}`);
    await this.#fresh('', unclassified);
    const revision = token.revision < 0 ? this.#cacher.revision : token.revision;
    return this.#listAt(revision, prefix, token.startKey, request, token);
  }

  /** The state at `revision`: the cache when nothing has changed since, else the store's history. */
  async #listAt(
    revision: number,
    prefix: string,
    from: string,
    request: ListRequest,
    token?: ContinueToken,
  ): Promise<ListAnswer> {
    if (revision <= this.#cacher.revision && this.#cacher.unchangedSince(revision)) {
      return this.#listFromCache(revision, prefix, from, request, request.limit);
    }
    const items: StoredObject[] = [];
    const { limit, filter } = request;
    let start = from;
    for (;;) {
      const size = limit === 0 ? undefined : filter === undefined ? limit : Math.max(limit, HISTORY_PAGE);
      const page = await this.#historyPage(revision, prefix, start, size, token);
      let seen = 0;
      for (const object of page.items) {
        seen++;
        if (filter !== undefined && !filter(object)) continue;
        items.push(object);
        if (items.length === limit) break;
      }
      const rest = page.count - seen;
      const last = page.items[seen - 1];
      if (rest === 0 || last === undefined) return { revision, items, continueToken: '' };
      if (items.length === limit)
        return answerPage(revision, items, last, prefix, filter === undefined ? rest : undefined);
      start = keyAfter(last.key);
    }
  }

  async #historyPage(
    revision: number,
    prefix: string,
    from: string,
    limit: number | undefined,
    token: ContinueToken | undefined,
  ) {
    try {
      return await this.#storage.list(prefix, { revision, from, ...(limit === undefined ? {} : { limit }) });
    } catch (error) {
      if (error instanceof StorageError && error.code === 'future') {
        throw tooLargeResourceVersion(revision, this.#cacher.revision);
      }
      if (error instanceof StorageError && error.code === 'expired') throw expired(token, prefix);
      throw error;
    }
  }

  /** Waits until the cache may answer for this resourceVersion. */
  async #fresh(resourceVersion: string, invalid: (message: string) => Error): Promise<void> {
    await this.#build();
    if (isZero(resourceVersion)) return;
    const wanted =
      resourceVersion === ''
        ? await this.#storage.currentRevision()
        : parseRevision(resourceVersion, (message) => invalid(message));
    if (!(await this.#cacher.waitFor(wanted, FRESHNESS_TIMEOUT_MS))) {
      throw tooLargeResourceVersion(wanted, this.#cacher.revision);
    }
  }

  async #build(): Promise<void> {
    if (this.#cacher.built) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, BUILD_TIMEOUT_MS, 'late');
    });
    const outcome = await Promise.race([this.#cacher.ready(), late]);
    clearTimeout(timer);
    if (outcome === 'late' || !this.#cacher.built) throw tooManyRequests('storage is (re)initializing', 1);
  }
}

function answerPage(
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

function expired(token: ContinueToken | undefined, prefix: string): Error {
  if (token === undefined) return resourceExpired('The resourceVersion for the provided list is too old.');
  return resourceExpired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinueToken({ revision: -1, startKey: token.startKey }, prefix),
  );
}

function invalidListVersion(message: string): Error {
  return badRequest(`invalid resource version: ${message}`);
}

/** Any spelling of 0: any state will do. */
function isZero(resourceVersion: string): boolean {
  return /^0+$/.test(resourceVersion);
}

/** A resourceVersion as a number. Upstream's words for what is none. */
export function parseRevision(text: string, invalid: (message: string) => Error): number {
  const revision = Number(text);
  if (/^[0-9]+$/.test(text) && Number.isSafeInteger(revision)) return revision;
  const problem = /^[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw invalid(
    `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`,
  );
}
