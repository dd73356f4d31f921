import type { Author } from '../interface/index.js';

/** The revision of an empty store, as etcd counts: the first write gets 2. */
export const FIRST_REVISION = 1;

/** The index entry of an existing key. */
export interface Pointer {
  readonly createRevision: number;
  /** The revision of its value in the log. */
  readonly modRevision: number;
}

export interface IndexEntry extends Pointer {
  readonly key: string;
  /** The entry is corrupt. Its `modRevision` is 0 if it cannot be trusted. Default: false. */
  readonly damaged?: true;
}

/** An event in the log without its value. */
export interface RecordHeader {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The revision that created the key; it does not change until the key is deleted. */
  readonly createRevision: number;
  /** The revision of the key's previous write; 0 if this write creates the key. */
  readonly previousRevision: number;
  /** Milliseconds since the epoch; 0 = never. */
  readonly expiresAt: number;
  /** The caller's tag of the value; 0 = none. */
  readonly tag: number;
  /** The value of this put has been removed. Default: false. */
  readonly isForgotten?: true;
}

export interface LogRecord extends RecordHeader {
  /** Empty for a delete. */
  readonly value: Uint8Array;
}

/** The time and the author of a record. */
export interface Origin {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly author?: Author | undefined;
}

export interface Write {
  readonly revision: number;
  readonly record: LogRecord;
  /** When the value that this write replaces would have expired; 0 = never. */
  readonly previousExpiresAt: number;
  /** A deletion, or part of one. */
  readonly forDeletion: boolean;
  readonly origin: Origin;
}

export interface Expiry {
  readonly key: string;
  readonly revision: number;
  readonly expiresAt: number;
}

export interface BackendState {
  readonly revision: number;
  readonly compactedRevision: number;
  /** History is removed up to this revision. It is below `compactedRevision` after an interrupted compaction. */
  readonly removedRevision: number;
  /** By prefix: the values that are forgotten. */
  readonly forgotten: ReadonlyMap<string, ForgottenState>;
}

export interface ForgottenState {
  /** Values that events up to this revision have superseded are forgotten. */
  readonly revision: number;
  /** They are removed for events up to this revision. */
  readonly removed: number;
}

/**
 * Stores the engine's index by key, its log by revision, and the order in which keys expire.
 *
 * Reads are synchronous, and see one committed state until the caller yields. Writes are atomic, and durable when their
 * promise resolves. The engine has at most one write in flight, and calls nothing after `close`. A rejected write has
 * no effect; it rejects with a `KVError`.
 *
 * A read returns exactly the data written, or throws `KVError` `corrupt`, or `compacted` for a value that is forgotten. It
 * reports a key as absent only if that is certain.
 */
export interface Backend {
  initialState(): BackendState;
  /** The newest revision that reads see now. It may be ahead of the newest acknowledged write, never behind. */
  visibleRevision(): number;
  pointer(key: string): Pointer | undefined;
  header(revision: number): RecordHeader | undefined;
  record(revision: number): LogRecord | undefined;
  /** Undefined if the record is missing, or has none. */
  origin(revision: number): Origin | undefined;
  /** Like {@link record}, but the next read may overwrite the bytes of the value. */
  view(revision: number): Pick<LogRecord, 'value' | 'tag'> | undefined;
  /** Only the value, of a record whose checksum was verified before. The next read may overwrite its bytes. */
  value(revision: number): Uint8Array | undefined;
  /** Index entries under `prefix`, starting at `from`, in key order. Includes corrupt entries. */
  scan(prefix: string, from: string, limit: number): IndexEntry[];
  count(prefix: string, from: string): number;
  /** Keys that expire at or before `time`, earliest first. Includes only entries that the log confirms. */
  expiring(time: number, limit: number): Expiry[];
  append(writes: readonly Write[]): Promise<void>;
  /** Records that history before `revision` is compacted. */
  markCompacted(revision: number): Promise<void>;
  /** Records that the values under `prefix` are forgotten, as `state` says. */
  markForgotten(prefix: string, state: ForgottenState): Promise<void>;
  /** Removes the values of these records, and records the progress. */
  forgetValues(revisions: readonly number[], prefix: string, state: ForgottenState): Promise<void>;
  /**
   * Settles when {@link removeRecords}, {@link forgetValues}, or a {@link Condenser}, may be called, or when `close` ends it. It may take long. Writes continue meanwhile.
   */
  prepareRemoval(): Promise<void>;
  /** Removes log records, and records that removal has reached `through`. */
  removeRecords(revisions: readonly number[], through: number): Promise<void>;
  /** A note of the caller; undefined if there is none, or if it is corrupt. */
  note(name: string): Uint8Array | undefined;
  writeNote(name: string, note: Uint8Array): Promise<void>;
  sizeBytes(): number;
  /** Rejects with a `KVError` if the store cannot accept writes. */
  checkHealth(): Promise<void>;
  close(): Promise<void>;
}
