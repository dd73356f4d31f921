/**
 * - `compacted`: the requested revision has been compacted, or its values are `forgotten`
 * - `future`: the requested revision has not been reached
 * - `closed`: the store is closed
 * - `unavailable`: the store cannot be reached, or failed; a write may or may not have happened
 * - `locked`: another process uses the data directory
 * - `corrupt`: data on disk cannot be read; if keys are `damaged`, only theirs
 * - `full`: no disk space is left
 * - `too-large`: the request is larger than the store takes; it had no effect
 */
export type KVErrorCode =
  | 'compacted'
  | 'future'
  | 'closed'
  | 'unavailable'
  | 'locked'
  | 'corrupt'
  | 'full'
  | 'too-large';

/** A key whose value cannot be read. */
export interface DamagedKey {
  readonly key: string;
  /** The revision of the key's newest write; 0 = unknown. */
  readonly revision: number;
  /** Why a store above the one on disk cannot read it. Absent: it is damaged. */
  readonly unreadable?: { readonly problem: 'untransformable' | 'undecodable'; readonly reason: string };
}

/** Values under a prefix that were superseded at or before a revision; see `KV.forgetValues`. */
export interface ForgottenValues {
  readonly prefix: string;
  readonly revision: number;
}

export interface KVErrorOptions extends ErrorOptions {
  readonly damaged?: readonly DamagedKey[];
  readonly forgotten?: ForgottenValues;
}

export class KVError extends Error {
  override readonly name = 'KVError';
  readonly code: KVErrorCode;
  /** For `corrupt`: the keys that cannot be read; all others can. */
  readonly damaged: readonly DamagedKey[];
  /** For `compacted`: the values that the request needs and the store no longer has. Undefined: all older history is gone. */
  readonly forgotten: ForgottenValues | undefined;
  constructor(code: KVErrorCode, message: string, options?: KVErrorOptions) {
    super(message, options);
    this.code = code;
    this.damaged = options?.damaged ?? [];
    this.forgotten = options?.forgotten;
  }
}
