import { badRequest, notFound } from '@binnacle/apimachinery/status';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { Cacher, CacherWatch, CacherWatchOptions, FieldValue, ObjectFilter } from '../cacher/index.js';
import { ANY, NEWEST, type PresentDemand, type StateDemand } from '../request/index.js';
import {
  type ContinueToken,
  decodeContinueToken,
  isStorableKey,
  type ObjectStorage,
  type StoredHistory,
  type StoredObject,
} from '../storage/index.js';
import { checkPathSegment } from '../names/index.js';
import { type HistoryTarget, keptHistory } from './history.js';
import { type ListAnswer, type ListObserver, type ListRequest, takePage } from './list.js';
import { ReadSources } from './read-source.js';
import { collectionPrefix, objectKey, type ObjectReference, referenceOf, type ResourceInfo } from './resource-info.js';
import { listFromState } from './state-list.js';
import { listFromStore, type StoreListOptions } from './store-list.js';

export interface ResourceReaderOptions {
  /** Whether reads use the cache; otherwise every read goes to the store. Default true. */
  readonly watchCache?: boolean;
  readonly observer?: ListObserver;
}

export interface WatchTarget {
  readonly namespace: string;
  readonly name?: string | undefined;
  readonly filter: ObjectFilter | undefined;
}

/** Reads of one resource. {@link ReadSources} decides where each is answered from. */
export class ResourceReader {
  readonly #info: ResourceInfo;
  readonly #storage: ObjectStorage;
  readonly #cacher: Cacher;
  readonly #sources: ReadSources;
  readonly #watchCache: boolean;
  readonly #observer: ListObserver | undefined;

  constructor(info: ResourceInfo, storage: ObjectStorage, cacher: Cacher, options: ResourceReaderOptions = {}) {
    const { watchCache = true, observer } = options;
    this.#info = info;
    this.#storage = storage;
    this.#cacher = cacher;
    this.#sources = new ReadSources(storage, cacher, watchCache);
    this.#watchCache = watchCache;
    this.#observer = observer;
  }

  /** The cached instance of an object that the store returned, so that computed values are reused. */
  readonly #known = (stored: StoredObject): StoredObject => {
    const cached = this.#cacher.get(stored.key);
    return cached?.revision === stored.revision ? cached : stored;
  };

  get cacher(): Cacher {
    return this.#cacher;
  }

  /**
   * Waits until the cache is built, however long that takes, and then for the newest revision as long as a read does.
   * Undefined: there is nothing to wait for.
   */
  waitUntilCurrent(): Promise<void> | undefined {
    return this.#sources.newest();
  }

  /** {@link waitUntilCurrent} for a store in this process, which needs no request for it. */
  waitUntilRecent(): Promise<void> | undefined {
    return this.#storage.isRemote ? undefined : this.#sources.newest();
  }

  /** The object, or 404. */
  async get(namespace: string, name: string, demand: PresentDemand = NEWEST): Promise<StoredObject> {
    checkPathSegment(name);
    const found = await this.find(namespace, name, demand);
    if (found === undefined) throw notFound(this.#info.resource, name);
    return found;
  }

  /** The object; at once where the cache is known to be fresh. */
  find(namespace: string, name: string, demand: PresentDemand = NEWEST): Awaitable<StoredObject | undefined> {
    const key = objectKey(this.#info, namespace, name);
    if (!isStorableKey(key)) return undefined;
    return this.#sources.readObject({ demand, keys: key }, ({ from }) =>
      from === 'cache' ? this.#cacher.get(key) : this.#fromStore(key),
    );
  }

  /** {@link find}, without asking a remote store for an object that the cache has, which may be a moment behind. */
  findRecent(namespace: string, name: string): Awaitable<StoredObject | undefined> {
    if (!this.#storage.isRemote) return this.find(namespace, name);
    if (!this.#cacher.built) void this.#cacher.ready();
    const cached = this.#cacher.built ? this.findCached(namespace, name) : undefined;
    return cached ?? this.find(namespace, name);
  }

  async #fromStore(key: string): Promise<StoredObject | undefined> {
    const stored = await this.#storage.get(key);
    return stored === undefined ? undefined : this.#known(stored);
  }

  /**
   * Settles when the cache has every object of the namespace ('' = all), for rules that read it directly. Rejects
   * when an object is unreadable: a rule must not count as absent because it cannot be read. Undefined: it has them.
   */
  complete(namespace: string): Promise<void> | undefined {
    return this.#cacher.built && !this.#isDamaged(namespace) ? undefined : this.#complete(namespace);
  }

  async #complete(namespace: string): Promise<void> {
    if (!this.#cacher.built) await this.#cacher.ready();
    if (this.#isDamaged(namespace)) await this.list({ namespace });
  }

  #isDamaged(namespace: string): boolean {
    return this.#cacher.isDamaged(collectionPrefix(this.#info, namespace));
  }

  /** What the cache has of an object; undefined also while the cache is being built. */
  findCached(namespace: string, name: string): StoredObject | undefined {
    return this.#cacher.get(objectKey(this.#info, namespace, name));
  }

  /** What the cache has of a namespace ('' = all), in key order. Consume it before the next await. */
  eachCached(namespace: string): Iterable<StoredObject> {
    return this.#cacher.range(collectionPrefix(this.#info, namespace));
  }

  /** The objects of a namespace with this value of a field, by the field's index in the cache. */
  async selectCached(value: FieldValue, namespace: string): Promise<StoredObject[]> {
    await this.#cacher.ready();
    await this.#cacher.indexing(value.field);
    return Array.from(this.#cacher.indexed(value, collectionPrefix(this.#info, namespace)));
  }

  /**
   * Events of the past of an object or, without a name, of a namespace ('' = all), newest first. Throws 410 when the store
   * no longer has them, and 400 when it keeps none.
   */
  async history({ namespace, name, ...bounds }: HistoryTarget, signal: AbortSignal): Promise<StoredHistory> {
    if (name !== '') checkPathSegment(name);
    const prefix = name === '' ? collectionPrefix(this.#info, namespace) : objectKey(this.#info, namespace, name);
    if (name !== '' && !isStorableKey(prefix)) throw notFound(this.#info.resource, name);
    return keptHistory(this.#storage.history({ prefix, exact: name !== '', ...bounds }, signal));
  }

  /** The object that a key of an event of {@link history} is of. */
  referenceOf(key: string): ObjectReference {
    return referenceOf(this.#info, key);
  }

  /** The newest revision at a time in milliseconds since the epoch. Throws like {@link history}. */
  revisionAt(time: number): Promise<number> {
    return keptHistory(this.#storage.revisionAt(time));
  }

  async list(request: ListRequest): Promise<ListAnswer> {
    const { namespace, filter, limit = 0, continueToken = '', signal } = request;
    const prefix = collectionPrefix(this.#info, namespace);
    const key = this.#onlyKey(request);
    const token = continueToken === '' ? undefined : this.#readToken(continueToken, prefix);
    const demand = token === undefined ? (request.demand ?? NEWEST) : await this.#demandOf(token);
    const selected = key === undefined && (limit === 0 || demand.type === 'any') ? filter?.selected : undefined;
    const cost = limit > 0 && filter === undefined ? 'page' : 'collection';
    const read = { demand, cost, keys: key ?? prefix, field: selected?.field, signal } as const;
    const { hold } = request;
    const list = { prefix, key, from: token?.startKey ?? prefix, filter, limit, observer: this.#observer, hold };
    return this.#sources.read(read, (source) => {
      if (demand.type === 'newest' && this.#watchCache) {
        this.#observer?.consistent(source.from === 'cache' ? 'cache' : 'store');
      }
      if (source.from !== 'cache') {
        const past = source.from === 'past' ? this.#cacher.stateAt(source.revision) : undefined;
        if (past !== undefined && source.revision !== undefined) return listFromState(past, source.revision, list);
        return this.#listFromStore({ ...list, revision: source.revision, token });
      }
      const { revision } = this.#cacher;
      // With '0', upstream's cache ignores the limit.
      if (selected === undefined) {
        return listFromState(this.#cacher, revision, demand.type === 'any' ? { ...list, limit: 0 } : list);
      }
      const { items, fetched } = takePage(this.#cacher.indexed(selected, prefix), filter, 0);
      this.#observer?.fromCache(selected.field, fetched, items.length);
      return { revision, items, continueToken: '' };
    });
  }

  /**
   * Opens a watch. With `initialEvents` it starts with the current objects; otherwise after the demanded revision, or
   * from now. The caller stops the watch.
   */
  async watch(target: WatchTarget, demand: PresentDemand, initialEvents: boolean): Promise<CacherWatch> {
    const { namespace, filter } = target;
    const prefix = this.#onlyKey(target) ?? collectionPrefix(this.#info, namespace);
    const options = { prefix, filter };
    const fromRevision = initialEvents || !('revision' in demand) ? undefined : demand.revision;
    const read = {
      demand: fromRevision === undefined ? demand : ANY,
      cost: 'collection',
      keys: initialEvents ? prefix : undefined,
      field: fromRevision === undefined ? filter?.selected?.field : undefined,
    } as const;
    return this.#sources.read(read, async (source) => {
      if (fromRevision !== undefined) return this.#open({ ...options, fromRevision });
      if (source.from === 'cache') {
        return this.#cacher.watch({ ...options, fromRevision: initialEvents ? undefined : this.#cacher.revision });
      }
      if (!initialEvents) return this.#open({ ...options, fromRevision: await this.#storage.currentRevision() });
      const list = { revision: undefined, prefix, from: prefix, filter, limit: 0, observer: this.#observer };
      const { items, revision } = await this.#listFromStore(list);
      return this.#open({ ...options, fromRevision: revision, initial: items });
    });
  }

  /** A watch of all objects that can be read, present ones first, and the keys of those that cannot. */
  async watchReadable(): Promise<{ readonly watch: CacherWatch; readonly damaged: readonly string[] }> {
    if (!this.#cacher.built) await this.#cacher.ready();
    const prefix = collectionPrefix(this.#info, '');
    const watch = this.#cacher.watch({ prefix, filter: undefined, fromRevision: undefined });
    return { watch, damaged: this.#cacher.damaged };
  }

  #open(watch: CacherWatchOptions & { readonly fromRevision: number }): CacherWatch {
    return this.#watchCache ? this.#cacher.watch(watch) : this.#cacher.watchStore(watch);
  }

  /** The key of the single object that the selector names; undefined = there may be any object. */
  #onlyKey({
    namespace,
    name,
  }: {
    readonly namespace: string;
    readonly name?: string | undefined;
  }): string | undefined {
    if (name === undefined || (this.#info.namespaced && namespace === '')) return undefined;
    return objectKey(this.#info, namespace, name);
  }

  #readToken(text: string, prefix: string): ContinueToken {
    const token = decodeContinueToken(text, prefix);
    if ('error' in token) throw badRequest(`invalid continue token: ${token.error}`);
    return token;
  }

  /** A list continues at the revision of its first page, or inconsistently at the newest one. */
  async #demandOf({ revision }: ContinueToken): Promise<StateDemand> {
    return { type: 'exactly', revision: revision < 0 ? await this.#storage.currentRevision() : revision };
  }

  #listFromStore(options: Omit<StoreListOptions, 'known'>): Promise<ListAnswer> {
    return listFromStore(this.#storage, { ...options, known: this.#known });
  }
}
