/** The revision of an empty store, as etcd counts: the first write gets 2. */
export const FIRST_REVISION = 1;

/** What the index says of a key that exists. */
export interface Pointer {
  readonly createRevision: number;
  /** Where in the log its value stands. */
  readonly modRevision: number;
}

export interface IndexEntry extends Pointer {
  readonly key: string;
  /** The entry is not as it was written; its `modRevision` is 0 where it cannot be trusted. Default: false. */
  readonly damaged?: true;
}

/** An event in the log, without its value. */
export interface RecordHeader {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** Of the key that was put or deleted; the same through all its life. */
  readonly createRevision: number;
  /** The write before this one in the key's life; 0 = this one created it. */
  readonly previousRevision: number;
  /** Milliseconds since the epoch; 0 = never. */
  readonly expiresAt: number;
  /** What the caller attached to the value; 0 = nothing. */
  readonly tag: number;
}

export interface LogRecord extends RecordHeader {
  /** Empty for a delete. */
  readonly value: Uint8Array;
}

export interface Write {
  readonly revision: number;
  readonly record: LogRecord;
  /** When the value that this one supersedes would have expired; 0 = never. */
  readonly previousExpiresAt: number;
}

export interface Expiry {
  readonly key: string;
  readonly revision: number;
  readonly expiresAt: number;
}

export interface BackendState {
  readonly revision: number;
  readonly compactedRevision: number;
  /** History is removed up to here; below `compactedRevision` after an interrupted compaction. */
  readonly removedRevision: number;
}

/**
 * Where the engine keeps an index by key, a log by revision and the order in which keys expire.
 *
 * Reads are synchronous and see one committed state for as long as the caller does not yield. Writes are atomic and
 * durable when their promise resolves; the engine has at most one of them under way, and calls nothing after `close`.
 * A rejected write has left no trace; the rejection is a `KVError`.
 *
 * What is read is as it was written, or `KVError` `corrupt` is thrown. That a key is absent is told only where it is certain.
 */
export interface Backend {
  initialState(): BackendState;
  /** The newest revision that reads show at this moment. It may run ahead of the newest acknowledged write, never behind. */
  visibleRevision(): number;
  pointer(key: string): Pointer | undefined;
  header(revision: number): RecordHeader | undefined;
  record(revision: number): LogRecord | undefined;
  /** As {@link record}, but the next read may overwrite the bytes of the value. */
  view(revision: number): Pick<LogRecord, 'value' | 'tag'> | undefined;
  /** The value alone, of a record that has been checked before. The next read may overwrite its bytes. */
  value(revision: number): Uint8Array | undefined;
  /** Index entries from `from` on under `prefix`, in key order, damaged ones included. */
  scan(prefix: string, from: string, limit: number): IndexEntry[];
  count(prefix: string, from: string): number;
  /** Keys that expire at or before `time`, the earliest first. Only what the log confirms. */
  expiring(time: number, limit: number): Expiry[];
  append(writes: readonly Write[]): Promise<void>;
  /** Records that history before `revision` is forgotten. */
  markCompacted(revision: number): Promise<void>;
  /** Removes log records, and records that this was done up to `through`. */
  removeRecords(revisions: readonly number[], through: number): Promise<void>;
  sizeBytes(): number;
  /** Rejects with a `KVError` while writes are refused. */
  checkHealth(): Promise<void>;
  close(): Promise<void>;
}
