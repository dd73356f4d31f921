/**
 * - `compacted`: the revision asked for has been forgotten
 * - `future`: the revision asked for has not been reached
 * - `closed`: the store has been closed
 * - `unavailable`: the store cannot be reached, or failed; a write may or may not have happened
 * - `locked`: another process uses the data directory
 * - `corrupt`: what is on disk cannot be read
 * - `full`: no space is left
 */
export type KVErrorCode = 'compacted' | 'future' | 'closed' | 'unavailable' | 'locked' | 'corrupt' | 'full';

export class KVError extends Error {
  override readonly name = 'KVError';
  readonly code: KVErrorCode;
  constructor(code: KVErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
