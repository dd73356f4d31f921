import { asError } from '@binnacle/apimachinery/errors';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { HistoryRequest, KeyValue, KV, ValueReader, WatchRequest, WatchSink } from '@binnacle/kv';
import type { StorageCodec } from './codec.js';
import type { Conditions } from './conditions.js';
import { StorageError, storageErrorOf } from './errors.js';
import { type ListOptions, type ObjectPage, ObjectReads, type PreparedPage } from './object-reads.js';
import { ObjectWrapper } from './object-wrapper.js';
import { ObjectWrites } from './object-writes.js';
import { type Change, type ChangeResult, type Decide, type Place, updateOptimistically } from './optimistic-update.js';
import { ReadableSink } from './readable-sink.js';
import { type StorageObserver, StoreCalls } from './store-calls.js';
import type { StoredHistory } from './stored-history.js';
import type { StoredObject } from './stored-object.js';
import { encodeVerification } from './verification.js';
import type { WriterIdentity } from './writer-identity.js';

/** How often the deletion of an unreadable object is tried while others write it. */
const DELETE_ATTEMPTS = 10;

export interface ObjectStorageOptions {
  readonly kv: KV;
  readonly codec: StorageCodec;
  /** The prefix of every key of the resource: `/registry/pods/`. */
  readonly prefix: string;
  readonly observer?: StorageObserver;
}

/**
 * Objects over revisioned bytes: encoding, versions, and the optimistic loop. It knows keys and bytes, and nothing of
 * requests. It retries lost comparisons, and translates failures of the store to StorageErrors. It refuses an object
 * that nests too deep or is too large with a StatusError. Upstream: apiserver `pkg/storage/etcd3/store.go`.
 */
export class ObjectStorage {
  readonly prefix: string;
  readonly codec: StorageCodec;
  readonly #kv: KV;
  readonly #calls: StoreCalls;
  readonly #wrapper: ObjectWrapper;
  readonly #reads: ObjectReads;
  readonly #writes: ObjectWrites;

  constructor(options: ObjectStorageOptions) {
    this.#kv = options.kv;
    this.codec = options.codec;
    this.prefix = options.prefix;
    this.#calls = new StoreCalls(options.observer);
    this.#wrapper = new ObjectWrapper(options.codec, this.isRemote);
    const parts = { kv: options.kv, codec: options.codec, calls: this.#calls, wrapper: this.#wrapper };
    this.#reads = new ObjectReads(parts);
    this.#writes = new ObjectWrites(parts);
  }

  /** The store's newest revision, linearizable. */
  currentRevision(): Promise<number> {
    return this.#calls.translated(this.#kv.currentRevision());
  }

  /** {@link currentRevision}, where it is known at once; undefined where it must be asked for. */
  get knownRevision(): number | undefined {
    try {
      return this.#kv.revisionNow?.();
    } catch {
      // The call that asks for it reports the error.
      return undefined;
    }
  }

  /** Whether the store is remote, so that its watches lag; see KV. */
  get isRemote(): boolean {
    return this.#kv.requestProgress !== undefined;
  }

  /** Requests progress on all watches; false when the store does not support it. See KV. */
  requestProgress(): boolean {
    return this.#kv.requestProgress?.() ?? false;
  }

  /** Reads values of an in-process store without copying them; see KV. Throws StorageError. */
  openReader(revision: number): ValueReader | undefined {
    try {
      this.#wrapper.useNote(this.#kv.readNote?.(this.prefix));
      return this.#kv.openReader?.(revision);
    } catch (error) {
      throw storageErrorOf(error);
    }
  }

  /**
   * Tells later processes which of these objects the store holds in canonical form, so that they need not canonicalize
   * them again. `objects`: all of the resource, as of `revision`. The store keeps a note and changes no value. It keeps
   * none if too many objects have another form. Throws StorageError.
   */
  async recordVerified(objects: Iterable<StoredObject>, revision: number): Promise<void> {
    const { fingerprint } = this.codec;
    if (this.#kv.writeNote === undefined || fingerprint === undefined) return;
    const others = new Set<number>();
    for (const object of objects) if (!object.isStoredCanonically) others.add(object.revision);
    const note = encodeVerification({ fingerprint, revision, others });
    if (note === undefined) return;
    await this.#calls.translated(this.#kv.writeNote(this.prefix, note));
  }

  /** The store no longer has states before this revision. */
  async compactedRevision(): Promise<number> {
    return (await this.#calls.translated(this.#kv.status())).compactedRevision;
  }

  /** All events under `prefix` after `fromRevision`; see KV. The sink is ended with a StorageError. */
  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    const translating: WatchSink = {
      batch: (batch) => sink.batch(batch),
      progress: (revision) => sink.progress(revision),
      ended: (error) => sink.ended(asError(storageErrorOf(error))),
      whenReady: () => sink.whenReady?.(),
    };
    this.#wrapper.expectEvents();
    this.#kv.watch(request, new ReadableSink(this.codec, translating, signal), signal);
  }

  /** Wraps a readable value: one from {@link watch}, or an own write. */
  wrap(item: KeyValue): StoredObject {
    return this.#wrapper.wrap(item);
  }

  /** Reads the object under `key` from the store; undefined if there is none. */
  get(key: string): Promise<StoredObject | undefined> {
    return this.#reads.get(key);
  }

  /**
   * Objects under `prefix` in key order. One whose bytes cannot be read fails the list with StorageError `damaged`, unless the
   * caller asks for a report of them. One that cannot be decoded fails its own use.
   */
  list(prefix: string, options: ListOptions): Promise<ObjectPage> {
    return this.#reads.list(prefix, options);
  }

  /**
   * Like {@link list}, but values stay in the store, and the objects read them on demand. The caller closes the reader
   * after it has used them.
   */
  listInPlace(
    prefix: string,
    options: ListOptions & { readonly revision: number; readonly from: string },
    reader: ValueReader,
  ): Promise<ObjectPage> {
    return this.#reads.listInPlace(prefix, options, reader);
  }

  /**
   * Like {@link list}, but decodes the objects, reports unreadable ones and counts nothing. With a reader, values stay in the store and
   * the objects read them on demand. The caller advances the reader after it has released them.
   */
  page(
    prefix: string,
    options: { revision: number; from: string; limit: number },
    reader: ValueReader | undefined,
  ): Promise<PreparedPage> {
    return this.#reads.page(prefix, options, reader);
  }

  /**
   * Events of the past under `prefix`, newest first; undefined if the store cannot tell them. See KV. An object is wrapped
   * as the store had it.
   */
  history(request: HistoryRequest, signal?: AbortSignal): Promise<StoredHistory | undefined> {
    return this.#reads.history(request, signal);
  }

  /** The newest revision at a time in milliseconds since the epoch; undefined if the store keeps no times. See KV. */
  async revisionAt(time: number): Promise<number | undefined> {
    return this.#kv.revisionAt && this.#calls.translated(this.#kv.revisionAt(time));
  }

  /** The number of objects. */
  async count(signal: AbortSignal): Promise<number> {
    return (await this.#calls.translated(this.#kv.range({ prefix: this.prefix, countOnly: true }, signal))).count;
  }

  /** Stores a new object, under conditions; returns undefined when the key is taken. Rejects with what they throw. */
  create(
    key: string,
    object: Readonly<KubernetesObject>,
    ttlSeconds?: number,
    writer?: WriterIdentity,
    conditions?: Conditions,
  ): Promise<StoredObject | undefined> {
    return this.#writes.create(key, object, ttlSeconds, writer, conditions);
  }

  /**
   * Deletes the object under `key`, which no one can read, without any check of it. Returns false, and deletes nothing, if it can
   * be read or there is none.
   */
  async deleteUnreadable(key: string, writer?: WriterIdentity): Promise<boolean> {
    for (let attempt = 0; attempt < DELETE_ATTEMPTS; attempt++) {
      const unreadable = await this.#reads.unreadable(key);
      if (unreadable === undefined) return false;
      if (await this.#writes.deleteUnread(key, unreadable.revision, writer)) return true;
    }
    throw new StorageError('unavailable', `${JSON.stringify(key)} keeps changing`);
  }

  /**
   * Reads, calls `decide`, writes; repeats after a lost comparison. `suggestion` saves the first read and may be stale:
   * if `decide` refuses (throws) or changes nothing on a stale suggestion, it runs again with the newest state. An
   * object that encodes to the stored bytes is not written. `decide` must be a pure function of its argument. All that
   * it claims belongs to the change that it returns, and is released unless that change is the last. The store keeps
   * `writer` with the revision.
   */
  update<C extends Change>(
    key: string,
    suggestion: StoredObject | undefined,
    decide: Decide<C>,
    writer?: WriterIdentity,
  ): Promise<ChangeResult<C>> {
    const place: Place = {
      read: () => this.#reads.get(key),
      write: (base, change) => this.#writes.update(key, base, change, writer),
      delete: (base) => this.#writes.delete(key, base, writer),
    };
    return updateOptimistically(place, suggestion, decide);
  }
}
