import { type DamagedKey, KVError } from '@binnacle/kv';
import { messageOfUnreadable, type UnreadableObject } from './unreadable.js';

/**
 * - `expired`: the requested revision has been compacted, or values of it are forgotten
 * - `future`: the requested revision has not been reached
 * - `damaged`: some stored objects cannot be read; all others can
 * - `too-large`: the object is larger than the store takes; nothing was written. The message is kube-apiserver's
 * - `unavailable`: the store cannot be reached or failed; a write may or may not have happened
 */
export type StorageErrorCode = 'expired' | 'future' | 'damaged' | 'too-large' | 'unavailable';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** For `damaged`: the objects that cannot be read, if they are known. */
  readonly unreadable: readonly UnreadableObject[];
  constructor(
    code: StorageErrorCode,
    message: string,
    options?: ErrorOptions & { readonly unreadable?: readonly UnreadableObject[] },
  ) {
    super(message, options);
    this.code = code;
    this.unreadable = options?.unreadable ?? [];
  }
}

/** The error of a read that includes these objects. At least one is given. */
export function unreadableError(unreadable: readonly UnreadableObject[], options?: ErrorOptions): StorageError {
  return new StorageError('damaged', messageOfUnreadable(unreadable), { ...options, unreadable });
}

export function unreadableOf({ key, revision, unreadable }: DamagedKey): UnreadableObject {
  return { key, revision, problem: unreadable?.problem ?? 'untransformable', reason: unreadable?.reason };
}

/** The revision before which the values that a read needs are forgotten; undefined if history itself is gone. */
export function forgottenBefore({ cause }: StorageError): number | undefined {
  return cause instanceof KVError ? cause.forgotten?.revision : undefined;
}

/** The one place that translates a store's failure to a StorageError. Other errors pass unchanged. */
export function storageErrorOf(error: unknown): unknown {
  if (!(error instanceof KVError)) return error;
  return new StorageError(codeOf(error), error.message, { cause: error, unreadable: error.damaged.map(unreadableOf) });
}

function codeOf({ code, damaged }: KVError): StorageErrorCode {
  if (code === 'compacted') return 'expired';
  if (code === 'future' || code === 'too-large') return code;
  return damaged.length > 0 ? 'damaged' : 'unavailable';
}

/** Returns the result of `read`; undefined when the store reports damage. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof KVError && error.code === 'corrupt') return undefined;
    throw error;
  }
}
