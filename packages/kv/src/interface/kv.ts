import type { Clock } from '@binnacle/apimachinery/clock';
import type { DamagedKey } from './errors.js';

/** The longest key, in UTF-8 bytes. On-disk stores have a limit, and all stores share it. */
export const MAX_KEY_BYTES = 1024;

/** The longest note; see {@link KV.writeNote}. */
export const MAX_NOTE_BYTES = 4096;

/** The longest name and the longest mark of an {@link Author}, in UTF-8 bytes. */
export const MAX_AUTHOR_BYTES = 1024;
export const MAX_MARK_BYTES = 64;

/** The longest page of {@link KV.history}. */
export const MAX_HISTORY_EVENTS = 1000;

/**
 * Revisioned bytes in etcd's model, with the few methods that an API server needs. A store knows nothing of Kubernetes.
 *
 * The store has one revision, a positive integer (1 in an empty store) that every successful write raises by one. Keys
 * are well-formed text of 1 to 1024 bytes, ordered by their UTF-8 bytes. An invalid request (another key, a negative
 * revision or limit) is a `RangeError`. Values passed to a store or returned by it are shared, and must not change.
 *
 * Durability: when `txn` resolves, its effect survives what the implementation promises (embedded: power loss; memory:
 * nothing). Visible implies durable: no reader sees a write that a crash could take back.
 */
export interface KV extends AsyncDisposable {
  /**
   * Reads one key or a range of keys at one revision. Rejects with {@link KVError} `compacted` or `future`, and with
   * `corrupt`, which names the keys, if keys in the range cannot be read.
   */
  range(request: RangeRequest, signal?: AbortSignal): Promise<RangeResult>;

  /**
   * Writes or deletes one key if its current `modRevision` is the expected one, and those of the request's conditions are.
   * A failed comparison is a value, not an error. A key whose value cannot be read is not written; only its request rejects, with `corrupt`. The store orders
   * concurrent calls; calls of one caller on one key keep their order. Aborting `signal` stops waiting: the write may
   * or may not have happened.
   */
  txn(request: TxnRequest, signal?: AbortSignal): Promise<TxnResult>;

  /**
   * Delivers all batches of committed events under `prefix` after `fromRevision`, in revision order, each exactly once
   * and whole. Delivery starts after this call returns, and continues until `signal` aborts or the sink is ended. The
   * sink is called synchronously and must not block. An in-process store delivers a batch before the `txn` that made it
   * resolves, so every cache fed by a watch shows its writer's own write. A sink that throws ends only its own watch
   * (`unavailable`).
   */
  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void;

  /**
   * For remote stores, whose watches are silent while nothing changes under their prefix: requests `progress` on all
   * running watches. The answer may be lost or report an older revision, so a reader that waits asks again, for example
   * every 100 ms. Returns false if answers cannot be trusted or the store is not connected; a reader that must not be
   * stale then reads the store.
   */
  requestProgress?(): boolean;

  /**
   * For in-process stores: reads values in place, without copies. Values current at `revision` stay readable; see
   * {@link ValueReader}. Throws {@link KVError} `compacted` or `future`. Undefined: the values must be read otherwise.
   */
  openReader?(revision: number): ValueReader | undefined;

  /**
   * For in-process stores: a note that a process keeps beside the data; undefined if there is none, or if it is corrupt.
   * Notes are facts about this store's history: they take no revision, and backups, restored and repaired stores have none.
   */
  readNote?(name: string): Uint8Array | undefined;

  /**
   * Writes or replaces the note with this name, a key. It has at most {@link MAX_NOTE_BYTES}. When the promise resolves,
   * it is as durable as a write. Every write acknowledged before the call is at least as durable.
   */
  writeNote?(name: string, note: Uint8Array): Promise<void>;

  /**
   * For in-process stores: another store that begins with the whole state and history of this one. Later writes of
   * either are invisible to the other. It costs the same whatever the size of this store, because it reads this store
   * below its own writes; those live in memory. Compaction of this store keeps what the fork may still read. After
   * `close`, this store keeps its resources until its forks are closed.
   */
  fork?(options?: ForkOptions): LocalKV;

  /**
   * Like {@link fork}, of the state at `revision`. It reads the events since then, so its cost is theirs. Rejects with
   * {@link KVError} `compacted`, also if a value of that state is forgotten, or `future`.
   */
  forkAt?(revision: number, options?: ForkOptions, signal?: AbortSignal): Promise<LocalKV>;

  /**
   * For in-process stores: the events of the past, newest first, page by page, with who made them. Rejects with
   * {@link KVError} `compacted` or `future`, and with `corrupt` if a record in the page cannot be read.
   */
  history?(request: HistoryRequest, signal?: AbortSignal): Promise<HistoryPage>;

  /**
   * For in-process stores: the newest revision at this time, in milliseconds since the epoch. Rejects with {@link KVError}
   * `compacted` if the store no longer knows it.
   */
  revisionAt?(time: number, signal?: AbortSignal): Promise<number>;

  /** For in-process stores: the current state, to return to. See {@link KVSnapshot}. */
  snapshot?(): KVSnapshot;

  /**
   * Compacts history before `revision`: later reads at older revisions, and watches from them, fail with `compacted`.
   * The newest value of every key, as of `revision`, stays. Resolves when the space can be reused; readers are refused
   * earlier. Compacting a compacted revision does nothing; a future one rejects with `future`.
   */
  compact(revision: number, signal?: AbortSignal): Promise<void>;

  /**
   * For in-process stores: like {@link compact}, but only of the values under `prefix`. Their history stays, without the values
   * that events up to `revision` have superseded: keys, revisions, times and authors. Later reads that include keys under the
   * prefix at older revisions, and watches from them, fail with `compacted`; see {@link KVError.forgotten}. Resolves when the space
   * can be reused, apart from that of values that readers, snapshots or forks still hold; a later call removes those.
   */
  forgetValues?(prefix: string, revision: number, signal?: AbortSignal): Promise<void>;

  /** The newest revision, linearizable: not older than any write acknowledged before the call. */
  currentRevision(signal?: AbortSignal): Promise<number>;

  /** For in-process stores: {@link currentRevision} at once. Throws {@link KVError} `closed`. */
  revisionNow?(): number;

  status(signal?: AbortSignal): Promise<KVStatus>;

  /**
   * Rejects with the reason if the store is unhealthy: `full` if only reads and deletes work, another code if writes or
   * all requests fail.
   */
  checkHealth(signal?: AbortSignal): Promise<void>;

  /**
   * Settles when all pending writes are decided and all resources are released. Idempotent; later calls of other
   * methods reject.
   */
  close(): Promise<void>;
}

/** A store in this process, which has all of the optional features that are for such stores. */
export interface LocalKV extends KV {
  openReader(revision: number): ValueReader;
  readNote(name: string): Uint8Array | undefined;
  writeNote(name: string, note: Uint8Array): Promise<void>;
  history(request: HistoryRequest, signal?: AbortSignal): Promise<HistoryPage>;
  revisionAt(time: number, signal?: AbortSignal): Promise<number>;
  fork(options?: ForkOptions): LocalKV;
  forkAt(revision: number, options?: ForkOptions, signal?: AbortSignal): Promise<LocalKV>;
  snapshot(): KVSnapshot;
  forgetValues(prefix: string, revision: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Reads values of an in-process store by the revision that wrote them, synchronously. While a reader is open,
 * compaction keeps all values that were current at its revision or were written later. The owner must advance it, or
 * the store grows.
 */
export interface ValueReader {
  /** Releases the values that were replaced or deleted at or before `revision`. */
  advance(revision: number): void;
  /**
   * The value that this revision wrote. The next read of the store may overwrite these bytes. Throws {@link KVError}
   * `compacted` if the reader has released it and the store has removed it. A closed reader can still read what the
   * store has.
   */
  read(modRevision: number): Uint8Array;
  /** Like {@link read}, with the value's tag, and with its checksum verified. Also throws `corrupt`. */
  load(modRevision: number): { readonly value: Uint8Array; readonly tag?: number };
  close(): void;
}

/**
 * A state of an in-process store that compaction keeps, so that the store can return to it. The owner must release it,
 * or the store grows.
 */
export interface KVSnapshot {
  /** The revision of the store when the snapshot was taken. */
  readonly revision: number;
  /**
   * Gives each key the value that it had in the snapshot, by ordinary events at new revisions that commit as a whole.
   * Keys that have not changed keep their revision. Resolves with the revision of the store after that.
   */
  restore(): Promise<number>;
  release(): void;
}

export interface ForkOptions {
  /** Keys of the fork expire by its steady time. Default: the clock of the store. */
  readonly clock?: Clock;
}

export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** The revision of the write that created the key. */
  readonly createRevision: number;
  /** The revision of the newest write of the key. */
  readonly modRevision: number;
  /** The tag that the writer attached to the value; absent if the store keeps no tags. */
  readonly tag?: number;
  readonly storedAs?: StoredAs;
}

/**
 * For a store on top of another one that keeps other bytes for the value, such as encrypted ones. `outdated`: the next
 * write should replace them, even with the same value.
 */
export type StoredAs = 'other' | 'outdated';

export interface RangeRequest {
  /** All keys with this prefix or, with `exact`, only this key. */
  readonly prefix: string;
  readonly exact?: boolean;
  /** The state as of this revision. Default: the newest, linearizable. */
  readonly revision?: number;
  /** The maximum number of items; absent or 0: no limit. */
  readonly limit?: number;
  /** Start at the first key not before this one (a full key within the prefix). */
  readonly from?: string;
  /** Return only `count`: `items` is empty and `more` false. */
  readonly countOnly?: boolean;
  /** Return items with empty values and without tags. */
  readonly keysOnly?: boolean;
  /** Allow the store to return the number of items as `count`. Counting visits every key. */
  readonly uncounted?: boolean;
  /** `report`: the result names keys that cannot be read, and the read succeeds. Default: it fails. */
  readonly damaged?: 'report';
}

export interface RangeResult {
  /** The store's newest revision when it answered, also with `request.revision`. */
  readonly revision: number;
  /** In key order. */
  readonly items: readonly KeyValue[];
  /** The number of keys under the prefix starting at `from`, regardless of the limit; see `uncounted`. */
  readonly count: number;
  readonly more: boolean;
  /** Keys of the range that cannot be read, in key order; absent if there are none. */
  readonly damaged?: readonly DamagedKey[];
}

export interface TxnRequest {
  readonly key: string;
  /** The key's current modRevision; 0 = the key must be absent. */
  readonly expectedRevision: number;
  readonly operation: PutOperation | DeleteOperation;
  /** The states that other keys must have at the moment of the write. */
  readonly conditions?: readonly KeyCondition[];
  /** In-process stores keep it with the revision; others ignore it. */
  readonly author?: Author;
  /** The caller needs no previous value, and the store may leave it out of the result. */
  readonly withoutPrevious?: true;
}

/** A key whose current modRevision must be the expected one; 0 = the key must be absent. */
export interface KeyCondition {
  readonly key: string;
  readonly expectedRevision: number;
}

/** Who makes a write. The store does not interpret it. */
export interface Author {
  /** Stored once for all writes that share it. At most {@link MAX_AUTHOR_BYTES}. */
  readonly name: string;
  /** Tells this write from others of the author, like the id of a request. At most {@link MAX_MARK_BYTES}; may be empty. */
  readonly mark: string;
}

export interface DeleteOperation {
  readonly type: 'delete';
  /**
   * Deletes a key even if its value cannot be read. `expectedRevision` is then the revision in the error, and neither
   * result nor event has a previous value. A readable key is deleted as usual.
   */
  readonly ignoreReadError?: boolean;
}

export interface PutOperation {
  readonly type: 'put';
  readonly value: Uint8Array;
  /**
   * Part of the key's deletion, such as its mark. A full store lends it half of the space that it keeps for deletions.
   * Other stores ignore it.
   */
  readonly forDeletion?: true;
  /** The key is deleted about this many seconds after the write, by an ordinary event. */
  readonly ttlSeconds?: number;
  /**
   * An integer from 1 to 4294967295 that the store does not interpret. Stores return it with the value; etcd cannot.
   */
  readonly tag?: number;
}

export type TxnResult =
  | {
      readonly succeeded: true;
      /** The revision of this write. Deleting an absent key (expectedRevision 0) succeeds without a new revision. */
      readonly revision: number;
      readonly previous?: KeyValue;
    }
  | {
      readonly succeeded: false;
      readonly revision: number;
      /** The key's current value; absent = no such key. */
      readonly current?: KeyValue;
      /** The key of the first condition that is not met; absent if the comparison of the written key failed. */
      readonly unmet?: string;
    };

export interface WatchRequest {
  readonly prefix: string;
  /** Deliver events with a revision greater than this one. */
  readonly fromRevision: number;
  /** The receiver needs no previous values, and the store may leave them out. */
  readonly withoutPrevious?: true;
}

export interface WatchSink {
  /** All events of one revision under the prefix. */
  batch(batch: EventBatch): void;
  /**
   * Everything up to `revision` has been delivered. An in-process store reports it after a replay, and after every
   * commit outside of the prefix.
   */
  progress(revision: number): void;
  /**
   * The watch has ended for this reason and was not aborted: `compacted`, `closed` or `unavailable`. Called at most
   * once, last.
   */
  ended(error: Error): void;
  /**
   * Settles when the receiver takes more of a replay; undefined = now. An in-process store asks before each event of the past. New commits do not wait.
   */
  whenReady?(): Promise<void> | undefined;
}

export interface EventBatch {
  readonly revision: number;
  readonly events: readonly KeyEvent[];
}

export interface KeyEvent {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The new value of a put; absent for a delete. */
  readonly value?: Uint8Array;
  /** Of a put, in place of the value: why a store above the one on disk cannot read it. */
  readonly unreadable?: NonNullable<DamagedKey['unreadable']>;
  /** The tag of the new value. */
  readonly tag?: number;
  /** Of the new value. */
  readonly storedAs?: StoredAs;
  /** The createRevision of the key that was put or deleted. 0: the store has left out what was deleted. */
  readonly createRevision: number;
  /** The value before this event; absent for a create, and for a delete of an unreadable value. See {@link WatchRequest}. */
  readonly previous?: KeyValue;
}

export interface HistoryRequest {
  /** Events of all keys with this prefix or, with `exact`, of this key. */
  readonly prefix: string;
  readonly exact?: boolean;
  /** Only events before this revision. Default: all. */
  readonly before?: number;
  /** Only events after this revision. Default: the compacted revision. */
  readonly after?: number;
  /** The maximum number of events, from 1 to {@link MAX_HISTORY_EVENTS}. */
  readonly limit: number;
}

export interface HistoryPage {
  /** Newest first. A page may be short, or empty, because its size and its cost are bounded as well. */
  readonly events: readonly HistoryEvent[];
  /** The store's newest revision. */
  readonly revision: number;
  /** Events at or before this revision are not in any page, because the store was compacted or the request says so. */
  readonly after: number;
  /** The `before` of the next page; absent if there is none. */
  readonly next?: number;
}

export interface HistoryEvent extends KeyEvent {
  readonly revision: number;
  /** Milliseconds since the epoch; absent if a version of Binnacle without authors wrote the record. */
  readonly time?: number;
  /** Absent for writes of the store itself, like those of expiry. */
  readonly author?: Author;
  /** The value of this put is forgotten, and absent; see {@link KV.forgetValues}. */
  readonly isForgotten?: true;
  /** The value before this event is forgotten, and absent. */
  readonly isPreviousForgotten?: true;
}

export interface KVStatus {
  readonly revision: number;
  /** Reads and watches below this revision fail. 0 = never compacted. */
  readonly compactedRevision: number;
  /** Bytes on disk or in memory. */
  readonly sizeBytes: number;
}
