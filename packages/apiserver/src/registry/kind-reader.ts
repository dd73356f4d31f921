import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { FieldValue } from '../cacher/index.js';
import type { PresentDemand } from '../request/index.js';
import { inTurns } from '../slices/index.js';
import type { StoredObject, StoredVersion } from '../storage/index.js';
import type { ListRequest } from './list.js';
import type { ResourceReader } from './reader.js';

/** A stored object of a kind. */
export type ObjectOf<T> = Readonly<KubernetesObject & T>;

/**
 * The objects of one kind as the server's own rules read them: decoded, through the kind's interface. A kind that is
 * not served has none. Methods whose names end in `cached` answer only from the cache, which may be a moment behind.
 * Their objects are shared, and live as long as the stored ones.
 */
export class KindReader<T> {
  readonly #find: () => ResourceReader | undefined;
  readonly #decoded = new WeakMap<StoredObject, ObjectOf<T>>();
  #found: ResourceReader | undefined;
  #recent: { readonly changes: number; readonly objects: readonly ObjectOf<T>[] } | undefined;

  constructor(find: () => ResourceReader | undefined) {
    this.#find = find;
  }

  /** Settles when the cache can answer. Undefined: it can. */
  ready(): Promise<void> | undefined {
    const cacher = this.#reader?.cacher;
    return cacher === undefined || cacher.built ? undefined : cacher.ready();
  }

  /** Settles when the cache is built, however long that takes, and has waited for the newest state as a read does. */
  async upToDate(): Promise<void> {
    await this.#reader?.waitUntilCurrent();
  }

  /** Increases whenever an object in the cache may have changed. */
  get changes(): number {
    return this.#reader?.cacher.changes ?? 0;
  }

  /** Whether an object of the kind cannot be read. */
  get isDamaged(): boolean {
    return this.#reader?.cacher.isDamaged('') ?? false;
  }

  /** The newest state of an object, or the one that the demand accepts. The object is shared: do not change it. */
  find(namespace: string, name: string, demand?: PresentDemand): Awaitable<ObjectOf<T> | undefined> {
    return this.#decodedOf(this.#reader?.find(namespace, name, demand));
  }

  /** {@link find}, without asking a remote store for an object that the cache has, which may be a moment behind. */
  findRecent(namespace: string, name: string): Awaitable<ObjectOf<T> | undefined> {
    return this.#decodedOf(this.#reader?.findRecent(namespace, name));
  }

  /**
   * {@link find} or, unless it must be the `newest`, {@link findRecent}. With the version of the object, on which a write may
   * depend.
   */
  async findVersion(
    namespace: string,
    name: string,
    newest: boolean,
  ): Promise<{ readonly object: ObjectOf<T>; readonly version: StoredVersion } | undefined> {
    const reader = this.#reader;
    const stored = await (newest ? reader?.find(namespace, name) : reader?.findRecent(namespace, name));
    return stored && { object: this.#shared(stored), version: stored };
  }

  #decodedOf(found: Awaitable<StoredObject | undefined>): Awaitable<ObjectOf<T> | undefined> {
    return found instanceof Promise ? found.then((stored) => this.#sharedIf(stored)) : this.#sharedIf(found);
  }

  /** The newest state of a namespace ('' = all); the caller owns the objects. */
  async list(namespace: string, filter?: ListRequest['filter']): Promise<ObjectOf<T>[]> {
    const answer = await this.#reader?.list({ namespace, filter });
    return (answer?.items ?? []).map((stored) => asKind<ObjectOf<T>>(stored.decode()));
  }

  /**
   * All objects of a namespace ('' = all). Rejects when one is unreadable: a rule must not count as absent because it
   * cannot be read.
   */
  allCached(namespace: string): Awaitable<ObjectOf<T>[]> {
    const pending = this.#reader?.complete(namespace);
    return pending === undefined
      ? [...this.eachCached(namespace)]
      : pending.then(() => [...this.eachCached(namespace)]);
  }

  /**
   * {@link allCached} of all namespaces, after waiting for the newest state if the store is in this process. A remote
   * store would have to be asked each time, so there the cache may be a moment behind. The array is the same one while
   * no object changes.
   */
  allRecent(): Awaitable<readonly ObjectOf<T>[]> {
    const reader = this.#reader;
    if (reader === undefined) return [];
    const pending = reader.waitUntilRecent();
    const isKnown = pending === undefined && this.#recent?.changes === reader.cacher.changes && !this.isDamaged;
    return isKnown && this.#recent !== undefined ? this.#recent.objects : this.#readRecent(reader, pending);
  }

  async #readRecent(reader: ResourceReader, pending: Promise<void> | undefined): Promise<readonly ObjectOf<T>[]> {
    await pending;
    if (this.#recent?.changes !== reader.cacher.changes) {
      await inTurns([...reader.eachCached('')], (stored) => this.#shared(stored));
    }
    await reader.complete('');
    const { changes } = reader.cacher;
    if (this.#recent?.changes !== changes) this.#recent = { changes, objects: [...this.eachCached('')] };
    return this.#recent.objects;
  }

  /** The objects of a namespace with this value of a field. The cost depends only on their number. */
  async selectedCached(value: FieldValue, namespace: string): Promise<ObjectOf<T>[]> {
    const selected = (await this.#reader?.selectCached(value, namespace)) ?? [];
    return Array.from(selected, (stored) => this.#shared(stored));
  }

  /** The readable objects of a namespace. Consume it before the next await. */
  *eachCached(namespace: string): Generator<ObjectOf<T>> {
    for (const stored of this.#reader?.eachCached(namespace) ?? []) yield this.#shared(stored);
  }

  /** The same without keeping what is decoded, for rare scans of kinds with many objects. */
  *copiesCached(namespace: string): Generator<ObjectOf<T>> {
    for (const stored of this.#reader?.eachCached(namespace) ?? []) yield asKind<ObjectOf<T>>(stored.decode());
  }

  /** The names of all readable objects of a kind without namespaces. Decodes nothing. Consume it before the next await. */
  *namesCached(): Generator<string> {
    for (const { key } of this.#reader?.eachCached('') ?? []) yield key.slice(key.lastIndexOf('/') + 1);
  }

  findCached(namespace: string, name: string): ObjectOf<T> | undefined {
    const stored = this.#reader?.findCached(namespace, name);
    return stored === undefined ? undefined : this.#shared(stored);
  }

  hasCached(namespace: string, name: string): boolean {
    return this.#reader?.findCached(namespace, name) !== undefined;
  }

  get #reader(): ResourceReader | undefined {
    this.#found ??= this.#find();
    return this.#found;
  }

  #sharedIf(stored: StoredObject | undefined): ObjectOf<T> | undefined {
    return stored === undefined ? undefined : this.#shared(stored);
  }

  #shared(stored: StoredObject): ObjectOf<T> {
    let object = this.#decoded.get(stored);
    if (object === undefined) {
      object = asKind<ObjectOf<T>>(stored.decode());
      this.#decoded.set(stored, object);
    }
    return object;
  }
}
