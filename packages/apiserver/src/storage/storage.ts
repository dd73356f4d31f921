import { asError } from '@binnacle/apimachinery/errors';
import { isNestedDeeper, MAX_JSON_DEPTH } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';
import {
  type HistoryRequest,
  type KeyValue,
  type KV,
  KVError,
  type PutOperation,
  type RangeRequest,
  type TxnRequest,
  type TxnResult,
  type ValueReader,
  type WatchRequest,
  type WatchSink,
} from '@binnacle/kv';
import { inSlices, pause, stage } from '../slices/index.js';
import type { StorageCodec } from './codec.js';
import { type Conditions, writeUnder } from './conditions.js';
import { storageErrorOf, unlessDamaged } from './errors.js';
import { OwnWrites } from './own-writes.js';
import { ReadableSink } from './readable-sink.js';
import { pastEventOf, type StoredHistory } from './stored-history.js';
import { StoredObject } from './stored-object.js';
import { decodeVerification, encodeVerification, type Verification } from './verification.js';
import { authorOf, type WriterIdentity } from './writer-identity.js';

export interface ObjectStorageOptions {
  readonly kv: KV;
  readonly codec: StorageCodec;
  /** The prefix of every key of the resource: `/registry/pods/`. */
  readonly prefix: string;
  readonly observer?: StorageObserver;
}

/** The operations on the store, in upstream's words. */
export type StorageOperation = 'get' | 'list' | 'create' | 'update' | 'delete';

/** Observes calls of the store. It must not throw. */
export interface StorageObserver {
  /** A call begins. The result is called when the store has answered or failed. */
  begun(operation: StorageOperation): (failed: boolean) => void;
  /** These objects cannot be read. */
  damaged(keys: readonly string[]): void;
}

export interface ObjectPage {
  /** The revision of the state that the items belong to. */
  readonly revision: number;
  readonly items: readonly StoredObject[];
  /**
   * The number of keys from the start key on, ignoring the limit. If the caller asked for no count, it may be the
   * number in the page.
   */
  readonly count: number;
  readonly more: boolean;
  /** Keys in the page whose objects cannot be read; only if the caller asked for them. */
  readonly damaged: readonly string[];
}

/** What to do with an object inside {@link ObjectStorage.update}. */
export type Change = (
  | {
      readonly type: 'write';
      readonly object: KubernetesObject;
      readonly ttlSeconds?: number | undefined;
      /** The write is part of a deletion, for which a full store keeps space. */
      readonly forDeletion?: boolean | undefined;
      /** Of a write that creates the object. */
      readonly conditions?: Conditions | undefined;
    }
  | { readonly type: 'delete' }
  | { readonly type: 'nothing' }
) & {
  /** What was claimed for the change. */
  readonly claims?: { release(): void | Promise<void> };
};

export interface ChangeResult<C extends Change = Change> {
  /** The last decision. The caller owns its claims. */
  readonly change: C;
  /** The state that it was made on; undefined if there was no object. */
  readonly base: StoredObject | undefined;
  /**
   * The object after the change; for a delete, the deleted object with the delete's revision. Undefined if there was no
   * object and none was written.
   */
  readonly stored: StoredObject | undefined;
  readonly changed: boolean;
}

/** An attempt of {@link ObjectStorage.update} on a state that is not the newest. */
interface Stale {
  readonly type: 'stale';
  readonly newest: StoredObject | undefined;
}

type Outcome = Stale | ({ readonly type: 'last' } & Pick<ChangeResult, 'stored' | 'changed'>);

/** The store's limit on the size of a key. */
const MAXIMUM_KEY_BYTES = 1024;

/**
 * The maximum nesting of a stored object. Managed fields nest deeper than the document of the client, and the object
 * must stay readable inside lists, events, tables and reviews.
 */
const MAXIMUM_DEPTH = MAX_JSON_DEPTH - 8;
const TOO_DEEP = `the object nests too deeply: ${MAXIMUM_DEPTH} levels are the most, its managed fields included`;

/**
 * Objects over revisioned bytes: encoding, versions, and the optimistic loop. It knows keys and bytes, and nothing of
 * requests. It retries lost comparisons, and translates failures of the store to StorageErrors. It refuses an object
 * that nests too deep with a StatusError. Upstream: apiserver `pkg/storage/etcd3/store.go`.
 */
export class ObjectStorage {
  readonly prefix: string;
  readonly codec: StorageCodec;
  readonly #kv: KV;
  readonly #observer: StorageObserver | undefined;
  /**
   * The canonical bytes of own writes, which need no canonicalization when the watch returns them. An in-process store
   * returns the very bytes that it was given.
   */
  readonly #written = new WeakMap<Uint8Array, Uint8Array>();
  /** The same for a remote store. */
  readonly #sent = new OwnWrites();
  #isWatched = false;
  /** What the store's note said when a reader was last opened. */
  #verification: Verification | undefined;

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
      const note = this.#kv.readNote?.(this.prefix);
      this.#verification = note && decodeVerification(note);
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
    await this.#calling(this.#kv.writeNote(this.prefix, note));
  }

  /** The store no longer has states before this revision. */
  async compactedRevision(): Promise<number> {
    return (await this.#calling(this.#kv.status())).compactedRevision;
  }

  /** All events under `prefix` after `fromRevision`; see KV. The sink is ended with a StorageError. */
  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    const told: WatchSink = {
      batch: (batch) => sink.batch(batch),
      progress: (revision) => sink.progress(revision),
      ended: (error) => sink.ended(asError(storageErrorOf(error))),
      whenReady: () => sink.whenReady?.(),
    };
    this.#isWatched = true;
    this.#kv.watch(request, new ReadableSink(this.codec, told, signal), signal);
  }

  /** Wraps a readable value: one from {@link watch}, or an own write. */
  wrap({ key, value, modRevision, tag, storedAs }: KeyValue): StoredObject {
    const known = this.#written.get(value);
    const { stored = value, canonical = known } = this.#sent.take(key, value) ?? {};
    return canonical === undefined
      ? new StoredObject(this.codec, key, modRevision, value, this.#isTrusted(tag), value, storedAs)
      : new StoredObject(this.codec, key, modRevision, canonical, true, stored, storedAs);
  }

  /** Reads the object under `key` from the store; undefined if there is none. */
  async get(key: string): Promise<StoredObject | undefined> {
    if (Buffer.byteLength(key) > MAXIMUM_KEY_BYTES) return undefined;
    const { items } = await this.#observed('get', this.#kv.range({ prefix: key, exact: true }));
    return (await this.#wrapAll(items))[0];
  }

  /**
   * Objects under `prefix` (`exact`: the one with this key) in key order, from key `from` on, at `revision` (absent:
   * newest). An unreadable object fails the list with StorageError `damaged`, unless the caller asks for a report of
   * them.
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
   * Like {@link list}, but values stay in the store, and the objects read them on demand. The caller closes the reader after
   * it has used them.
   */
  async listInPlace(
    prefix: string,
    options: { revision: number; from: string; limit?: number },
    reader: ValueReader,
  ): Promise<ObjectPage> {
    const page = await this.#readInPlace({ prefix, ...options, keysOnly: true }, options.revision, reader);
    // The ordinary read says which object is damaged, and how.
    return page.damaged.length > 0 ? this.list(prefix, options) : page;
  }

  /**
   * Like {@link list}, but reports unreadable objects and counts nothing. With a reader, values stay in the store and
   * the objects read them on demand. The caller advances the reader after it has released them.
   */
  async page(
    prefix: string,
    options: { revision: number; from: string; limit: number },
    reader: ValueReader | undefined,
  ): Promise<Omit<ObjectPage, 'count'>> {
    if (reader === undefined) return this.list(prefix, { ...options, uncounted: true, damaged: 'report' });
    const request = { prefix, ...options, uncounted: true, keysOnly: true, damaged: 'report' } as const;
    const page = await this.#readInPlace(request, options.revision, reader);
    if (page.damaged.length > 0) this.#observer?.damaged(page.damaged);
    return page;
  }

  async #readInPlace(request: RangeRequest, revision: number, reader: ValueReader): Promise<ObjectPage> {
    const { items, count, more, damaged: unreadable = [] } = await this.#observed('list', this.#kv.range(request));
    const objects: StoredObject[] = [];
    const damaged = unreadable.map(({ key }) => key);
    const verification = this.#verificationAt(revision);
    for (const { key, modRevision } of items) {
      const pausing = pause();
      if (pausing !== undefined) await pausing;
      const loaded = unlessDamaged(() => reader.load(modRevision));
      if (loaded === undefined) {
        damaged.push(key);
        continue;
      }
      const { value, tag } = loaded;
      const isTrusted = this.#isTrusted(tag) || isVerified(verification, modRevision);
      objects.push(StoredObject.readingFrom(this.codec, key, modRevision, value, isTrusted, reader));
      // The next read may overwrite the value, so nothing uses it after the wait.
      const loading = isTrusted ? undefined : this.codec.beforeReading(value);
      if (loading !== undefined) await loading;
    }
    return { revision, items: objects, count, more, damaged };
  }

  /**
   * Events of the past under `prefix`, newest first; undefined if the store cannot tell them. See KV. An object is wrapped
   * as the store had it.
   */
  async history(request: HistoryRequest, signal?: AbortSignal): Promise<StoredHistory | undefined> {
    if (this.#kv.history === undefined) return undefined;
    const page = await this.#observed('list', this.#kv.history(request, signal));
    for (const { value, previous } of page.events) {
      for (const read of [value, previous?.value]) {
        const loading = read && this.codec.beforeReading(read);
        if (loading !== undefined) await loading;
      }
    }
    return { ...page, events: page.events.map((event) => pastEventOf(event, (item) => this.wrap(item))) };
  }

  /** The newest revision at a time in milliseconds since the epoch; undefined if the store keeps no times. See KV. */
  async revisionAt(time: number): Promise<number | undefined> {
    return this.#kv.revisionAt && this.#calling(this.#kv.revisionAt(time));
  }

  /** The number of objects. */
  async count(signal: AbortSignal): Promise<number> {
    return (await this.#calling(this.#kv.range({ prefix: this.prefix, countOnly: true }, signal))).count;
  }

  /** Stores a new object, under conditions; returns undefined when the key is taken. Rejects with what they throw. */
  async create(
    key: string,
    object: Readonly<KubernetesObject>,
    ttlSeconds?: number,
    writer?: WriterIdentity,
    conditions?: Conditions,
  ): Promise<StoredObject | undefined> {
    const { stored, canonical } = await this.#encode(object);
    const operation = this.#put(stored, canonical, ttlSeconds);
    this.#remember(key, stored, canonical);
    const request: TxnRequest = { key, expectedRevision: 0, operation, withoutPrevious: true, ...byAuthor(writer) };
    const { succeeded, revision } = await this.#writeUnder(conditions, 'create', request);
    return succeeded ? new StoredObject(this.codec, key, revision, canonical, true, stored) : undefined;
  }

  /**
   * Reads, calls `decide`, writes; repeats after a lost comparison. `suggestion` saves the first read and may be stale:
   * if `decide` refuses (throws) or changes nothing on a stale suggestion, it runs again with the newest state. An
   * object that encodes to the stored bytes is not written. `decide` must be a pure function of its argument. All that
   * it claims belongs to the change that it returns, and is released unless that change is the last. The store keeps
   * `writer` with the revision.
   */
  async update<C extends Change>(
    key: string,
    suggestion: StoredObject | undefined,
    decide: (current: StoredObject | undefined) => C | Promise<C>,
    writer?: WriterIdentity,
  ): Promise<ChangeResult<C>> {
    let base = suggestion ?? (await this.get(key));
    let fresh = suggestion === undefined;
    for (;;) {
      const attempt = await this.#attempt(key, base, fresh, decide, writer);
      if (attempt.type === 'last') return attempt.result;
      base = attempt.newest;
      fresh = true;
    }
  }

  async #attempt<C extends Change>(
    key: string,
    base: StoredObject | undefined,
    fresh: boolean,
    decide: (current: StoredObject | undefined) => C | Promise<C>,
    writer: WriterIdentity | undefined,
  ): Promise<Stale | { readonly type: 'last'; readonly result: ChangeResult<C> }> {
    let change: C;
    try {
      change = await decide(base);
    } catch (error) {
      const outcome = await this.#unchanged(key, base, fresh);
      if (outcome.type === 'last') throw error;
      return outcome;
    }
    let isLast = false;
    try {
      const outcome = await this.#carryOut(key, base, fresh, change, writer);
      isLast = outcome.type === 'last';
      if (outcome.type === 'stale') return outcome;
      const { stored, changed } = outcome;
      return { type: 'last', result: { change, base, stored, changed } };
    } finally {
      if (!isLast) await change.claims?.release();
    }
  }

  async #carryOut(
    key: string,
    base: StoredObject | undefined,
    fresh: boolean,
    change: Change,
    writer: WriterIdentity | undefined,
  ): Promise<Outcome> {
    if (change.type === 'nothing') return this.#unchanged(key, base, fresh);
    const expectedRevision = base?.revision ?? 0;
    if (change.type === 'delete') {
      if (base === undefined) return this.#unchanged(key, base, fresh);
      const operation = { type: 'delete' } as const;
      const call = this.#kv.txn({ key, expectedRevision, operation, withoutPrevious: true, ...byAuthor(writer) });
      const result = await this.#observed('delete', call);
      if (!result.succeeded) return this.#lost(result.current);
      return { type: 'last', stored: base.withRevision(result.revision), changed: true };
    }
    const { stored, canonical } = await this.#encode(change.object);
    if (base?.isStoredAs(stored, canonical) === true) return this.#unchanged(key, base, fresh);
    const put = this.#put(stored, canonical, change.ttlSeconds);
    const operation: PutOperation = change.forDeletion === true ? { ...put, forDeletion: true } : put;
    this.#remember(key, stored, canonical);
    const request: TxnRequest = { key, expectedRevision, operation, withoutPrevious: true, ...byAuthor(writer) };
    const result = await this.#writeUnder(base === undefined ? change.conditions : undefined, 'update', request);
    if (!result.succeeded) return this.#lost(result.current);
    const written = new StoredObject(this.codec, key, result.revision, canonical, true, stored);
    return { type: 'last', stored: written, changed: true };
  }

  #writeUnder(
    conditions: Conditions | undefined,
    operation: StorageOperation,
    request: TxnRequest,
  ): Promise<TxnResult> {
    return writeUnder(conditions, (required) =>
      this.#observed(operation, this.#kv.txn(required === undefined ? request : { ...request, conditions: required })),
    );
  }

  /**
   * The store has compared nothing, so the attempt is the last one only if its state is the newest. An outdated form shows
   * only when the store is read.
   */
  async #unchanged(key: string, base: StoredObject | undefined, fresh: boolean): Promise<Outcome> {
    const newest = fresh ? base : await this.get(key);
    const isOutdated = !fresh && newest?.isOutdated === true;
    if (newest?.revision !== base?.revision || isOutdated) return { type: 'stale', newest };
    return { type: 'last', stored: base, changed: false };
  }

  async #lost(current: KeyValue | undefined): Promise<Outcome> {
    const [newest] = await this.#wrapAll(current === undefined ? [] : [current]);
    return { type: 'stale', newest };
  }

  /** Whether the tag shows that the value is in this process's canonical form. */
  #isTrusted(tag: number | undefined): boolean {
    return tag !== undefined && tag === this.codec.fingerprint;
  }

  /** The verification, if it holds for values that are current at this revision. */
  #verificationAt(revision: number): Verification | undefined {
    const found = this.#verification;
    if (found === undefined || found.fingerprint !== this.codec.fingerprint) return undefined;
    return found.revision <= revision ? found : undefined;
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
    const ended = observer.begun(operation);
    let failed = true;
    try {
      const answer = await this.#calling(call);
      failed = false;
      return answer;
    } finally {
      ended(failed);
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

  #remember(key: string, stored: Uint8Array, canonical: Uint8Array): void {
    if (!this.isRemote) this.#written.set(stored, canonical);
    else if (this.#isWatched) this.#sent.add(key, stored, canonical);
  }

  /** Stores canonical bytes with the codec's fingerprint, so that later processes trust them. */
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
    await stage();
    const canonical = await inSlices(this.codec.encodeInSteps(object));
    await stage();
    if (isNestedDeeper(canonical, MAXIMUM_DEPTH)) throw badRequest(TOO_DEEP);
    const stored = this.codec.toStored(canonical);
    await stage();
    return { stored, canonical };
  }
}

function byAuthor(writer: WriterIdentity | undefined): Pick<TxnRequest, 'author'> {
  return writer === undefined ? {} : { author: authorOf(writer) };
}

/** For a value that is current at a revision for which the verification holds. */
function isVerified(verification: Verification | undefined, modRevision: number): boolean {
  return verification !== undefined && modRevision <= verification.revision && !verification.others.has(modRevision);
}
