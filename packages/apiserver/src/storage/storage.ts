import { isNestedDeeper, MAX_JSON_DEPTH } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import {
  type KeyValue,
  type KV,
  KVError,
  type PutOperation,
  type ValueReader,
  type WatchRequest,
  type WatchSink,
} from '@binnacle/kv/interface';
import { pause } from '../slices/index.js';
import type { StorageCodec } from './codec.js';
import { storageErrorOf, unlessDamaged } from './errors.js';
import { ReadableSink } from './readable-sink.js';
import { StoredObject } from './stored-object.js';

export interface ObjectStorageOptions {
  readonly kv: KV;
  readonly codec: StorageCodec;
  /** All keys of the resource begin with this: `/registry/pods/`. */
  readonly prefix: string;
  readonly observer?: StorageObserver;
}

/** What is asked of the store, in upstream's words. */
export type StorageOperation = 'get' | 'list' | 'create' | 'update' | 'delete';

/** Told of calls of the store. It must not throw. */
export interface StorageObserver {
  /** The store answered, or failed, after so many milliseconds. */
  called(operation: StorageOperation, milliseconds: number, failed: boolean): void;
  /** These objects cannot be read. */
  damaged(keys: readonly string[]): void;
}

export interface ObjectPage {
  /** The revision that the items are the state of. */
  readonly revision: number;
  readonly items: readonly StoredObject[];
  /** Keys from the start key on, whatever the limit; where they were not to be counted, those of the page may stand in their place. */
  readonly count: number;
  readonly more: boolean;
  /** Keys in the page whose objects cannot be read; only where they were to be reported. */
  readonly damaged: readonly string[];
}

/** What to do with an object inside {@link ObjectStorage.update}. */
export type Change =
  | { readonly type: 'write'; readonly object: KubernetesObject; readonly ttlSeconds?: number }
  | { readonly type: 'delete' }
  | { readonly type: 'nothing' };

export interface ChangeResult {
  /** The object as it now stands; for a delete, the object that was deleted, under the delete's revision. */
  readonly stored: StoredObject;
  readonly changed: boolean;
}

/** How one round of {@link ObjectStorage.update} came out. */
type Attempt =
  | { readonly type: 'written'; readonly stored: StoredObject }
  | { readonly type: 'unchanged' }
  | { readonly type: 'refused'; readonly error: unknown }
  | { readonly type: 'lost'; readonly current: StoredObject | undefined };

const unchanged: Attempt = { type: 'unchanged' };

/** A store's limit on keys; no object can have a longer one. */
const MAXIMUM_KEY_BYTES = 1024;

/**
 * How deep an object may nest that is stored. It nests deeper than the document it came in, by its managed fields; and it must be readable still
 * within what it is sent in: lists, events, tables, reviews.
 */
const MAXIMUM_DEPTH = MAX_JSON_DEPTH - 8;
const TOO_DEEP = `the object nests too deeply: ${MAXIMUM_DEPTH} levels are the most, its managed fields included`;

/**
 * Objects over revisioned bytes: encoding, versions, and the optimistic loop. It knows keys and bytes, and nothing of
 * requests. A lost comparison is handled here; failures of the store are StorageErrors. An object that nests too deeply is refused with a StatusError.
 * Upstream: apiserver `pkg/storage/etcd3/store.go`.
 */
export class ObjectStorage {
  readonly prefix: string;
  readonly codec: StorageCodec;
  readonly #kv: KV;
  readonly #observer: StorageObserver | undefined;
  /** The canonical bytes of what this process has written: it needs no canonicalization when the store's watch brings it back. */
  readonly #written = new WeakMap<Uint8Array, Uint8Array>();

  constructor(options: ObjectStorageOptions) {
    this.#kv = options.kv;
    this.#observer = options.observer;
    this.codec = options.codec;
    this.prefix = options.prefix;
  }

  /** The store's newest revision, linearizable. */
  currentRevision(): Promise<number> {
    return this.#calling(this.#kv.currentRevision());
  }

  /** Whether the store is remote, so that its watches lag behind it; see KV. */
  get isRemote(): boolean {
    return this.#kv.requestProgress !== undefined;
  }

  /** Asks for progress on all watches; false when the store cannot say. See KV. */
  requestProgress(): boolean {
    return this.#kv.requestProgress?.() ?? false;
  }

  /** What reads values of a store in this process in place of copies of them; see KV. Throws StorageError. */
  openReader(revision: number): ValueReader | undefined {
    try {
      return this.#kv.openReader?.(revision);
    } catch (error) {
      throw storageErrorOf(error);
    }
  }

  /** States before this revision are gone from the store. */
  async compactedRevision(): Promise<number> {
    return (await this.#calling(this.#kv.status())).compactedRevision;
  }

  /** All events under `prefix` after `fromRevision`; see KV. The sink is ended with a StorageError. */
  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    const told: WatchSink = {
      batch: (batch) => sink.batch(batch),
      progress: (revision) => sink.progress(revision),
      ended: (error) => sink.ended(asError(storageErrorOf(error))),
    };
    this.#kv.watch(request, new ReadableSink(this.codec, told, signal), signal);
  }

  /** Of a value that can be read: one that {@link watch} has told, or that this process has written. */
  wrap({ key, value, modRevision, tag }: KeyValue): StoredObject {
    const canonical = this.#written.get(value);
    if (canonical === undefined) {
      return new StoredObject(this.codec, key, modRevision, value, this.#isTrusted(tag));
    }
    return new StoredObject(this.codec, key, modRevision, canonical, true, value);
  }

  /** The object under `key` straight from the store, undefined if there is none. */
  async get(key: string): Promise<StoredObject | undefined> {
    if (Buffer.byteLength(key) > MAXIMUM_KEY_BYTES) return undefined;
    const { items } = await this.#observed('get', this.#kv.range({ prefix: key, exact: true }));
    return (await this.#wrapAll(items))[0];
  }

  /**
   * Objects under `prefix` (`exact`: the one that is named so) in key order, from key `from` on, at `revision` (absent: newest).
   * An object that cannot be read fails the list with StorageError `damaged`, unless such objects are to be reported.
   */
  async list(
    prefix: string,
    options: {
      revision?: number;
      from?: string;
      limit?: number;
      exact?: boolean;
      uncounted?: boolean;
      damaged?: 'report';
    },
  ): Promise<ObjectPage> {
    if (options.exact === true && Buffer.byteLength(prefix) > MAXIMUM_KEY_BYTES) {
      return {
        revision: options.revision ?? (await this.currentRevision()),
        items: [],
        count: 0,
        more: false,
        damaged: [],
      };
    }
    const result = await this.#observed('list', this.#kv.range({ prefix, ...options }));
    const damaged = (result.damaged ?? []).map(({ key }) => key);
    if (damaged.length > 0) this.#observer?.damaged(damaged);
    return {
      revision: options.revision ?? result.revision,
      items: await this.#wrapAll(result.items),
      count: result.count,
      more: result.more,
      damaged,
    };
  }

  /**
   * As {@link list}, but objects that cannot be read are reported, and nothing is counted. With a reader, what the store holds
   * in canonical form is not copied: the objects read it when they are asked. The caller advances the reader when it has let them go.
   */
  async page(
    prefix: string,
    options: { revision: number; from: string; limit: number },
    reader: ValueReader | undefined,
  ): Promise<Omit<ObjectPage, 'count'>> {
    if (reader === undefined) return this.list(prefix, { ...options, uncounted: true, damaged: 'report' });
    const request = { prefix, ...options, uncounted: true, keysOnly: true, damaged: 'report' } as const;
    const { items, more, damaged: unreadable = [] } = await this.#observed('list', this.#kv.range(request));
    const copied: KeyValue[] = [];
    const objects: StoredObject[] = [];
    const damaged = unreadable.map(({ key }) => key);
    for (const item of items) {
      const loaded = unlessDamaged(() => reader.load(item.modRevision));
      if (loaded === undefined) {
        damaged.push(item.key);
      } else if (this.#isTrusted(loaded.tag)) {
        objects.push(StoredObject.left(this.codec, item.key, item.modRevision, loaded.value, reader));
      } else {
        const copy = { ...item, value: new Uint8Array(loaded.value) };
        copied.push(copy);
        objects.push(this.wrap(copy));
      }
    }
    if (damaged.length > 0) this.#observer?.damaged(damaged);
    await this.#beforeReading(copied);
    return { revision: options.revision, items: objects, more, damaged };
  }

  /** How many objects there are. */
  async count(signal: AbortSignal): Promise<number> {
    return (await this.#calling(this.#kv.range({ prefix: this.prefix, countOnly: true }, signal))).count;
  }

  /** Stores a new object; undefined when the key is taken. */
  async create(
    key: string,
    object: Readonly<KubernetesObject>,
    ttlSeconds?: number,
  ): Promise<StoredObject | undefined> {
    const { stored, canonical } = await this.#encode(object);
    const call = this.#kv.txn({ key, expectedRevision: 0, operation: this.#put(stored, canonical, ttlSeconds) });
    const { succeeded, revision } = await this.#observed('create', call);
    return succeeded ? new StoredObject(this.codec, key, revision, canonical, true, stored) : undefined;
  }

  /**
   * Reads, asks `decide`, writes; repeats when somebody else was faster. `suggestion` saves the first read and may be
   * stale: when `decide` refuses (throws) or changes nothing on a stale suggestion, it is asked again with the newest
   * state. An object that encodes to the bytes in the store is not written. `decide` must be a pure function of its argument.
   */
  async update(
    key: string,
    suggestion: StoredObject | undefined,
    decide: (current: StoredObject | undefined) => Change | Promise<Change>,
  ): Promise<ChangeResult | undefined> {
    let current = suggestion ?? (await this.get(key));
    let fresh = suggestion === undefined;
    for (;;) {
      const attempt = await this.#attempt(key, current, decide);
      if (attempt.type === 'written') return { stored: attempt.stored, changed: true };
      if (attempt.type === 'lost') {
        current = attempt.current;
        fresh = true;
        continue;
      }
      // What changes nothing has not been compared by the store: it holds for the newest state alone.
      if (!fresh) {
        const newest = await this.get(key);
        fresh = true;
        if (newest?.revision !== current?.revision) {
          current = newest;
          continue;
        }
      }
      if (attempt.type === 'refused') throw attempt.error;
      return current === undefined ? undefined : { stored: current, changed: false };
    }
  }

  async #attempt(
    key: string,
    current: StoredObject | undefined,
    decide: (current: StoredObject | undefined) => Change | Promise<Change>,
  ): Promise<Attempt> {
    let change: Change;
    try {
      change = await decide(current);
    } catch (error) {
      return { type: 'refused', error };
    }
    const expectedRevision = current?.revision ?? 0;
    if (change.type === 'delete') {
      if (current === undefined) return unchanged;
      const call = this.#kv.txn({ key, expectedRevision, operation: { type: 'delete' } });
      const result = await this.#observed('delete', call);
      if (result.succeeded) return { type: 'written', stored: current.withRevision(result.revision) };
      return this.#lost(result.current);
    }
    if (change.type === 'nothing') return unchanged;
    const { stored, canonical } = await this.#encode(change.object);
    if (current?.isStoredAs(stored, canonical) === true) return unchanged;
    const operation = this.#put(stored, canonical, change.ttlSeconds);
    const result = await this.#observed('update', this.#kv.txn({ key, expectedRevision, operation }));
    if (!result.succeeded) return this.#lost(result.current);
    return { type: 'written', stored: new StoredObject(this.codec, key, result.revision, canonical, true, stored) };
  }

  async #lost(current: KeyValue | undefined): Promise<Attempt> {
    const [newest] = await this.#wrapAll(current === undefined ? [] : [current]);
    return { type: 'lost', current: newest };
  }

  /** Whether a value has been written in the form that this process would bring it into. */
  #isTrusted(tag: number | undefined): boolean {
    return tag !== undefined && tag === this.codec.fingerprint;
  }

  async #beforeReading(items: readonly KeyValue[]): Promise<void> {
    for (const { value } of items) {
      const loading = this.codec.beforeReading(value);
      if (loading !== undefined) await loading;
    }
  }

  async #wrapAll(items: readonly KeyValue[]): Promise<StoredObject[]> {
    await this.#beforeReading(items);
    return items.map((item) => this.wrap(item));
  }

  async #observed<T>(operation: StorageOperation, call: Promise<T>): Promise<T> {
    const observer = this.#observer;
    if (observer === undefined) return this.#calling(call);
    const start = performance.now();
    let failed = true;
    try {
      const answer = await this.#calling(call);
      failed = false;
      return answer;
    } finally {
      observer.called(operation, performance.now() - start, failed);
    }
  }

  async #calling<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof KVError && error.damaged.length > 0) {
        this.#observer?.damaged(error.damaged.map(({ key }) => key));
      }
      throw storageErrorOf(error);
    }
  }

  /** Canonical bytes are stored with the fingerprint of what made them so, for a later process to trust them. */
  #put(value: Uint8Array, canonical: Uint8Array, ttlSeconds: number | undefined): PutOperation {
    const { fingerprint } = this.codec;
    return {
      type: 'put',
      value,
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
      ...(value === canonical && fingerprint !== undefined ? { tag: fingerprint } : {}),
    };
  }

  async #encode(object: Readonly<KubernetesObject>): Promise<{ stored: Uint8Array; canonical: Uint8Array }> {
    const loading = this.codec.beforeWriting();
    if (loading !== undefined) await loading;
    await pause();
    const canonical = this.codec.encode(object);
    await pause();
    if (isNestedDeeper(canonical, MAXIMUM_DEPTH)) throw badRequest(TOO_DEEP);
    const stored = this.codec.toStored(canonical);
    await pause();
    this.#written.set(stored, canonical);
    return { stored, canonical };
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
