/**
 * - `compacted`: the revision asked for has been forgotten
 * - `future`: the revision asked for has not been reached
 * - `closed`: the store has been closed
 * - `unavailable`: the store cannot be reached, or failed; a write may or may not have happened
 * - `locked`: another process uses the data directory
 * - `corrupt`: what is on disk cannot be read; where keys are `damaged`, only theirs
 * - `full`: no space is left
 */
export type KVErrorCode = 'compacted' | 'future' | 'closed' | 'unavailable' | 'locked' | 'corrupt' | 'full';

/** A key whose value cannot be read. */
export interface DamagedKey {
  readonly key: string;
  /** Of the newest write of the key; 0 = unknown. */
  readonly revision: number;
}

export interface KVErrorOptions extends ErrorOptions {
  readonly damaged?: readonly DamagedKey[];
}

export class KVError extends Error {
  override readonly name = 'KVError';
  readonly code: KVErrorCode;
  /** Of `corrupt`: the keys that cannot be read, while all others can. */
  readonly damaged: readonly DamagedKey[];
  constructor(code: KVErrorCode, message: string, options?: KVErrorOptions) {
    super(message, options);
    this.code = code;
    this.damaged = options?.damaged ?? [];
  }
}
