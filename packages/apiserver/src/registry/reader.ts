import { compareUtf8 } from '@binnacle/apimachinery/json';
import {
  badRequest,
  notFound,
  tooLargeResourceVersion,
  tooManyRequests,
  unclassified,
} from '@binnacle/apimachinery/status';
import type { Cacher, CacherWatch, ObjectFilter, ObjectState } from '../cacher/index.js';
import {
  type ContinueToken,
  decodeContinueToken,
  keyAfter,
  type ObjectStorage,
  type StoredObject,
} from '../storage/index.js';
import { checkPathSegment } from '../names/index.js';
import { type ListAnswer, type ListObserver, type ListRequest, selectPage, takePage } from './list.js';
import { collectionPrefix, objectKey, type ResourceInfo } from './resource-info.js';
import { invalidListVersion, isZero, parseRevision } from './revision.js';
import { answerPage, expired, listFromStore, type StoreListOptions } from './store-list.js';

/** How long a read waits for a future revision. Upstream: cacher `blockTimeout`. */
const FRESHNESS_TIMEOUT_MS = 3000;
const BUILD_TIMEOUT_MS = 10_000;

export interface ResourceReaderOptions {
  /** Whether reads use the cache; otherwise every read goes to the store. Default true. */
  readonly watchCache?: boolean;
  readonly observer?: ListObserver;
}

export interface WatchTarget {
  readonly namespace: string;
  readonly name?: string;
  readonly filter: ObjectFilter | undefined;
}

/** Where a read is answered from. */
type Source = 'cache' | 'store';

/**
 * Reads of one resource, with the rules of resourceVersion. Upstream: apiserver `pkg/storage/cacher/delegator.go`.
 */
export class ResourceReader {
  readonly #info: ResourceInfo;
  readonly #storage: ObjectStorage;
  readonly #cacher: Cacher;
  readonly #watchCache: boolean;
  readonly #observer: ListObserver | undefined;

  constructor(info: ResourceInfo, storage: ObjectStorage, cacher: Cacher, options: ResourceReaderOptions = {}) {
    this.#info = info;
    this.#storage = storage;
    this.#cacher = cacher;
    this.#watchCache = options.watchCache ?? true;
    this.#observer = options.observer;
  }

  /** The cached instance of an object that the store returned, so that computed values are reused. */
  readonly #known = (stored: StoredObject): StoredObject => {
    const cached = this.#cacher.get(stored.key);
    return cached?.revision === stored.revision ? cached : stored;
  };

  get cacher(): Cacher {
    return this.#cacher;
  }

  /** Waits until the cache has the newest revision, no longer than a read would wait. */
  async waitUntilCurrent(): Promise<void> {
    const revision = await this.#storage.currentRevision();
    await this.#cacher.ready();
    await this.#cacher.waitFor(revision, FRESHNESS_TIMEOUT_MS);
  }

  /** The object, or 404. */
  async get(namespace: string, name: string, resourceVersion: string): Promise<StoredObject> {
    checkPathSegment(name);
    const found = await this.find(namespace, name, resourceVersion);
    if (found === undefined) throw notFound(this.#info.resource, name);
    return found;
  }

  async find(namespace: string, name: string, resourceVersion = ''): Promise<StoredObject | undefined> {
    const key = objectKey(this.#info, namespace, name);
    const minimum = minimumOf(resourceVersion, unclassified);
    // For a remote store, one get costs as much as the current revision, for which the cache would have to wait.
    const direct = minimum === undefined && this.#storage.isRemote;
    if (!direct && (await this.#source(minimum)) === 'cache' && !this.#cacher.isDamaged(key)) {
      return this.#cacher.get(key);
    }
    if (minimum !== undefined && minimum > 0) this.#checkReached(minimum, await this.#storage.currentRevision());
    const stored = await this.#storage.get(key);
    return stored === undefined ? undefined : this.#known(stored);
  }

  /**
   * Settles when the cache has every object of the namespace ('' = all), for rules that read it directly. Rejects
   * when an object is unreadable: a rule must not count as absent because it cannot be read.
   */
  async complete(namespace: string): Promise<void> {
    if (!this.#cacher.built) await this.#cacher.ready();
    if (!this.#cacher.isDamaged(collectionPrefix(this.#info, namespace))) return;
    await this.list({ namespace, filter: undefined, limit: 0, continueToken: '', resourceVersion: '' });
  }

  async list(request: ListRequest): Promise<ListAnswer> {
    const prefix = collectionPrefix(this.#info, request.namespace);
    if (request.continueToken !== '') return this.#continueList(request, prefix);
    const { resourceVersion, match, limit, filter } = request;
    const minimum = minimumOf(resourceVersion, invalidListVersion);
    await this.#admit(request, minimum);
    if (minimum !== undefined && minimum > 0 && (match === 'Exact' || (match === undefined && limit > 0))) {
      return this.#listAt(minimum, prefix, prefix, request);
    }
    // With '0', upstream's cache ignores the limit. The cache leaves out unreadable objects, and the store reports
    // them.
    if ((await this.#source(minimum)) === 'cache' && !this.#cacher.isDamaged(this.#onlyKey(request) ?? prefix)) {
      return this.#listCurrent(prefix, request, minimum === 0 ? 0 : limit);
    }
    await this.#admit(request);
    const answer = await this.#listFromStore({
      revision: undefined,
      prefix,
      key: this.#onlyKey(request),
      from: prefix,
      filter,
      limit,
      known: this.#known,
    });
    if (minimum !== undefined) this.#checkReached(minimum, answer.revision);
    return answer;
  }

  /**
   * Opens a watch. With `initialEvents` it starts with the current objects; otherwise after `resourceVersion`, or
   * from now if that is empty. The caller stops the watch.
   */
  async watch(target: WatchTarget, resourceVersion: string, initialEvents: boolean): Promise<CacherWatch> {
    const { namespace, name, filter } = target;
    const prefix =
      name === undefined || (this.#info.namespaced && namespace === '')
        ? collectionPrefix(this.#info, namespace)
        : objectKey(this.#info, namespace, name);
    const options = { prefix, filter };
    const minimum = minimumOf(resourceVersion, unclassified);
    if (this.#watchCache) await this.#build();
    if (!initialEvents && minimum !== undefined && minimum > 0) {
      const watch = { ...options, fromRevision: minimum };
      return this.#watchCache ? this.#cacher.watch(watch) : this.#cacher.watchStore(watch);
    }
    if (filter?.selected !== undefined && this.#watchCache) await this.#cacher.indexing(filter.selected.field);
    const isCached = (await this.#source(minimum)) === 'cache';
    if (isCached && !(initialEvents && this.#cacher.isDamaged(prefix))) {
      return this.#cacher.watch({ ...options, fromRevision: initialEvents ? undefined : this.#cacher.revision });
    }
    if (this.#watchCache) await this.#build();
    const watch = initialEvents
      ? await this.#storedState(options, minimum)
      : { ...options, fromRevision: await this.#storage.currentRevision() };
    return this.#watchCache ? this.#cacher.watch(watch) : this.#cacher.watchStore(watch);
  }

  /** Reads the initial objects of a watch from the store when the cache cannot provide them. */
  async #storedState<T extends { prefix: string; filter: ObjectFilter | undefined }>(options: T, minimum?: number) {
    const { prefix, filter } = options;
    const list = { revision: undefined, prefix, from: prefix, filter, limit: 0, known: this.#known };
    const { items, revision } = await this.#listFromStore(list);
    if (minimum !== undefined) this.#checkReached(minimum, revision);
    return { ...options, fromRevision: revision, initial: items };
  }

  /** Uses the index of a field if the selector has one and the list is not paged. */
  async #listCurrent(prefix: string, request: ListRequest, limit: number): Promise<ListAnswer> {
    const { filter } = request;
    const selected = filter?.selected;
    if (selected === undefined || limit > 0 || this.#onlyKey(request) !== undefined) {
      return this.#listFromCache(this.#cacher, this.#cacher.revision, prefix, prefix, request, limit);
    }
    await this.#cacher.indexing(selected.field);
    const { revision } = this.#cacher;
    const { items, fetched } = takePage(this.#cacher.indexed(selected, prefix), filter, 0);
    this.#observer?.fromCache(selected.field, fetched, items.length);
    return { revision, items, continueToken: '' };
  }

  async #listFromCache(
    state: ObjectState,
    revision: number,
    prefix: string,
    from: string,
    request: ListRequest,
    limit: number,
  ): Promise<ListAnswer> {
    const { filter } = request;
    const key = this.#onlyKey(request);
    if (key !== undefined) {
      const object = compareUtf8(key, from) < 0 ? undefined : state.get(key);
      const items = object !== undefined && (filter?.(object) ?? true) ? [object] : [];
      this.#observer?.fromCache('', object === undefined ? 0 : 1, items.length);
      return { revision, items, continueToken: '' };
    }
    const objects = state.range(prefix, from);
    const { items, fetched, more } =
      filter === undefined ? takePage(objects, undefined, limit) : await selectPage(objects, filter, limit);
    this.#observer?.fromCache('', fetched, items.length);
    const last = items.at(-1);
    if (!more || last === undefined) return { revision, items, continueToken: '' };
    const remaining = filter === undefined ? state.count(prefix, keyAfter(last.key)) : undefined;
    return answerPage(revision, items, last, prefix, remaining);
  }

  /** The key of the single object that the selector names; undefined = the list may contain any object. */
  #onlyKey({ namespace, name }: ListRequest): string | undefined {
    if (name === undefined || (this.#info.namespaced && namespace === '')) return undefined;
    return objectKey(this.#info, namespace, name);
  }

  async #continueList(request: ListRequest, prefix: string): Promise<ListAnswer> {
    if (request.resourceVersion !== '' && request.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const token = decodeContinueToken(request.continueToken, prefix);
    if ('error' in token) throw badRequest(`invalid continue token: ${token.error}`);
    await this.#admit(request);
    const revision = token.revision < 0 ? await this.#storage.currentRevision() : token.revision;
    return this.#listAt(revision, prefix, token.startKey, request, token);
  }

  /**
   * The state at `revision`: from the cache if its window reaches back that far, otherwise from the store's history.
   */
  async #listAt(
    revision: number,
    prefix: string,
    from: string,
    request: ListRequest,
    token?: ContinueToken,
  ): Promise<ListAnswer> {
    const { limit, filter } = request;
    // An in-process store knows its compacted revision at no cost. Without this check the cache could still answer
    // older revisions.
    if (!this.#storage.isRemote && revision < (await this.#storage.compactedRevision())) throw expired(token, prefix);
    const state = this.#watchCache && !this.#cacher.isDamaged(prefix) ? this.#cacher.stateAt(revision) : undefined;
    if (state !== undefined) return this.#listFromCache(state, revision, prefix, from, request, limit);
    const list = { revision, prefix, key: this.#onlyKey(request), from, filter, limit, known: this.#known };
    return this.#listFromStore(token === undefined ? list : { ...list, token });
  }

  /**
   * Where to read a state of at least this revision; undefined = the most recent. Waits until the cache is that
   * fresh, if it can know. If it returns `cache`, read the cache before the next await.
   */
  async #source(minimum: number | undefined): Promise<Source> {
    if (!this.#watchCache) return 'store';
    if (!this.#cacher.built) {
      void this.#cacher.firstAttempt();
      return 'store';
    }
    if (minimum === 0) return 'cache';
    const wanted = minimum ?? (await this.#storage.currentRevision());
    const freshness = await this.#cacher.waitFor(wanted, FRESHNESS_TIMEOUT_MS);
    if (freshness === 'late') throw tooLargeResourceVersion(wanted, this.#cacher.revision);
    return freshness === 'reached' ? 'cache' : 'store';
  }

  #listFromStore(options: Omit<StoreListOptions, 'observer'>): Promise<ListAnswer> {
    return listFromStore(this.#storage, { ...options, observer: this.#observer });
  }

  #checkReached(minimum: number, revision: number): void {
    if (revision < minimum) throw tooLargeResourceVersion(minimum, revision);
  }

  /**
   * While the cache is lost, the store answers unfiltered pages, whose cost is bounded; other lists get 429.
   * Upstream: `shouldDelegateListOnNotReadyCache`.
   */
  async #admit({ limit, filter }: ListRequest, minimum?: number): Promise<void> {
    if (!this.#watchCache || this.#cacher.built) return;
    const bounded = limit > 0 && filter === undefined;
    // A read that accepts any state waits for the cache, whose answer is complete.
    if (bounded && minimum !== 0) return;
    await this.#firstAttempt();
    if (!this.#cacher.built && !bounded) throw this.#cacher.refusal ?? initializing();
  }

  /**
   * Waits for the first build of the cache, but not for a rebuild. Throws 429, or the error that prevents the build.
   */
  async #build(): Promise<void> {
    if (this.#cacher.built) return;
    await this.#firstAttempt();
    if (!this.#cacher.built) throw this.#cacher.refusal ?? initializing();
  }

  async #firstAttempt(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, BUILD_TIMEOUT_MS);
    });
    await Promise.race([this.#cacher.firstAttempt(), late]);
    clearTimeout(timer);
  }
}

function initializing(): Error {
  return tooManyRequests('storage is (re)initializing', 1);
}

/** The lowest revision that a resourceVersion accepts; undefined = the most recent. */
function minimumOf(resourceVersion: string, invalid: (message: string) => Error): number | undefined {
  if (resourceVersion === '') return undefined;
  return isZero(resourceVersion) ? 0 : parseRevision(resourceVersion, invalid);
}
