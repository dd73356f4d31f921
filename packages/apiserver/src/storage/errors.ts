import { KVError } from '@binnacle/kv/interface';

/**
 * - `expired`: the revision asked for has been compacted
 * - `future`: the revision asked for has not been reached
 * - `unavailable`: the store cannot be reached or failed; a write may or may not have happened
 */
export type StorageErrorCode = 'expired' | 'future' | 'unavailable';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The one place where a store's failure becomes storage's. Anything else passes through. */
export function storageErrorOf(error: unknown): unknown {
  if (!(error instanceof KVError)) return error;
  const code = error.code === 'compacted' ? 'expired' : error.code === 'future' ? 'future' : 'unavailable';
  return new StorageError(code, error.message, { cause: error });
}
