import type { DamagedKey } from './errors.js';

/**
 * Revisioned bytes: etcd's model, the few methods of it that an API server needs. A store knows nothing of Kubernetes.
 *
 * The store has one revision, a positive integer (1 in an empty store) that every successful write raises by one. Keys
 * are well-formed text of 1 to 1024 bytes, ordered by their UTF-8 bytes; what cannot be a request (another key, a
 * negative revision or limit) is a `RangeError`. Values given to a store, and values it returns, belong to both sides and are never changed.
 *
 * Durability: when `txn` resolves, what it did survives whatever the implementation promises (embedded: loss of power;
 * memory: nothing). Visible implies durable: no reader sees a write that a crash could take back.
 */
export interface KV extends AsyncDisposable {
  /**
   * Reads one key or a range of keys, all at one revision. Rejects with {@link KVError} `compacted` or `future`, and with
   * `corrupt`, which names them, where keys in the range cannot be read.
   */
  range(request: RangeRequest, signal?: AbortSignal): Promise<RangeResult>;

  /**
   * Writes or deletes one key if its current `modRevision` is the expected one. A lost comparison is a value, not an
   * error. A key whose value cannot be read is not written: `corrupt`, for this request alone. Concurrent calls are ordered by the store; calls on one key from one caller keep their order.
   * An aborted `signal` gives up waiting: the write may or may not have happened.
   */
  txn(request: TxnRequest, signal?: AbortSignal): Promise<TxnResult>;

  /**
   * Delivers all batches of committed events under `prefix` after `fromRevision`, in revision order, each once, none split.
   * Delivery starts after this call has returned and goes on until `signal` aborts or the sink is ended; the sink is
   * called synchronously and must not block. A store in this process delivers a batch before the `txn` that made it
   * resolves, so a reader that waits for its own write finds it in everything fed by a watch. A sink that throws ends its
   * own watch (`unavailable`) and nothing else.
   */
  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void;

  /**
   * Only a store elsewhere has it, whose watches are silent while nothing happens under their prefix: asks for `progress`
   * on all that run. The answer may be missing, or be of an older revision; who waits for one asks again, every 100 ms say.
   * Returns false where answers cannot be trusted or had now: a reader that must not be stale then reads the store.
   */
  requestProgress?(): boolean;

  /**
   * Only a store in this process has it: reads values where they are, in place of copies. What is current at `revision` stays readable; see
   * {@link ValueReader}. Throws {@link KVError} `compacted` or `future`.
   */
  openReader?(revision: number): ValueReader;

  /**
   * Forgets history before `revision`: reads at, and watches from, older revisions fail with `compacted` afterwards. The
   * newest value of every key, as of `revision`, stays. Resolves when the space is free for reuse; readers are refused
   * earlier. A revision that has been compacted is nothing to do; one not reached rejects with `future`.
   */
  compact(revision: number, signal?: AbortSignal): Promise<void>;

  /** The newest revision, linearizable: not older than any write acknowledged before the call. */
  currentRevision(signal?: AbortSignal): Promise<number>;

  status(signal?: AbortSignal): Promise<KVStatus>;

  /**
   * Rejects with the reason while the store cannot be relied upon: `full` where reads and deletes go on, another code
   * where writes are refused or nothing is answered.
   */
  checkHealth(signal?: AbortSignal): Promise<void>;

  /** Settles when all pending writes are decided and all resources are released. Idempotent; later calls of others reject. */
  close(): Promise<void>;
}

/**
 * Reads values of a store in this process by the revision that wrote them, at once. While it is open, compaction leaves all values that were
 * current at its revision or were written later. Its owner therefore advances it, or the store grows.
 */
export interface ValueReader {
  /** Gives up what was replaced or deleted at or before `revision`. */
  advance(revision: number): void;
  /**
   * The value that the write of this revision put. The next read of the store may overwrite these bytes. Throws {@link KVError}
   * `compacted` where the reader has given it up and the store has removed it. A reader that is closed goes on reading what the store has.
   */
  read(modRevision: number): Uint8Array;
  /** The same with its tag, and with its checksum checked. Throws `corrupt` too. */
  load(modRevision: number): { readonly value: Uint8Array; readonly tag?: number };
  close(): void;
}

export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the write that created the key (since it was last absent). */
  readonly createRevision: number;
  /** Revision of the newest write of the key. */
  readonly modRevision: number;
  /** What the write attached to the value; absent also where the store keeps no tags. */
  readonly tag?: number;
}

export interface RangeRequest {
  /** All keys that begin with this, or, with `exact`, this key alone. */
  readonly prefix: string;
  readonly exact?: boolean;
  /** State as of this revision; absent: the newest, linearizable. */
  readonly revision?: number;
  /** At most so many items; absent or 0: all. */
  readonly limit?: number;
  /** Start at the first key not before this one (a full key within the prefix). */
  readonly from?: string;
  /** Only `count` is wanted; `items` stays empty, and `more` false. */
  readonly countOnly?: boolean;
  /** Items have no values, nor tags: they are empty. */
  readonly keysOnly?: boolean;
  /** `count` is not wanted: the store may answer the number of items in its place, for it costs a look at every key. */
  readonly uncounted?: boolean;
  /** `report`: keys that cannot be read are named in the result, and the read succeeds. Default: it fails. */
  readonly damaged?: 'report';
}

export interface RangeResult {
  /** The store's revision when it answered; with `request.revision`, that is still the store's newest. */
  readonly revision: number;
  /** In key order. */
  readonly items: readonly KeyValue[];
  /** Number of keys from `from` on under the prefix, whatever the limit; see `uncounted`. */
  readonly count: number;
  readonly more: boolean;
  /** Keys that belong among the items and cannot be read, in key order; absent where all can. */
  readonly damaged?: readonly DamagedKey[];
}

export interface TxnRequest {
  readonly key: string;
  /** The key's current modRevision; 0 = the key must be absent. */
  readonly expectedRevision: number;
  readonly operation: PutOperation | DeleteOperation;
}

export interface DeleteOperation {
  readonly type: 'delete';
  /**
   * Deletes a key though its value cannot be read. `expectedRevision` is then the revision that the error named; neither
   * the result nor the event has a previous value. Of a key that can be read it is an ordinary delete.
   */
  readonly unread?: boolean;
}

export interface PutOperation {
  readonly type: 'put';
  readonly value: Uint8Array;
  /** The key is deleted, by an event like any other, about this many seconds after the write. */
  readonly ttlSeconds?: number;
  /**
   * An integer from 1 to 4294967295 that means nothing to the store. A store that can, returns it with the value; etcd
   * cannot.
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
      /** What stands there instead; absent = no such key. */
      readonly current?: KeyValue;
    };

export interface WatchRequest {
  readonly prefix: string;
  /** Deliver events with a revision greater than this one. */
  readonly fromRevision: number;
}

export interface WatchSink {
  /** All events of one revision that touch the prefix. */
  batch(batch: EventBatch): void;
  /** Everything up to `revision` has been delivered. A store in this process says so after a replay and every commit elsewhere. */
  progress(revision: number): void;
  /** The watch is over for this reason, unless it was aborted: `compacted`, `closed`, `unavailable`. Called at most once, last. */
  ended(error: Error): void;
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
  /** Of the new value. */
  readonly tag?: number;
  /** Of the key that was put, or of the one that a delete ended. */
  readonly createRevision: number;
  /** The value before this event; absent for a create, and for a delete of a value that could not be read. */
  readonly previous?: KeyValue;
}

export interface KVStatus {
  readonly revision: number;
  /** Reads and watches below this fail. 0 = never compacted. */
  readonly compactedRevision: number;
  /** Bytes on disk or in memory. */
  readonly sizeBytes: number;
}
