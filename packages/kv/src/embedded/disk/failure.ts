import { messageOf } from '@binnacle/apimachinery/errors';
import { KVError } from '../../interface/index.js';
import { hasSpace } from './free-space.js';

const ENOSPC = 28;
const EFBIG = 27;
const EDQUOT = 122;
const MDB_MAP_FULL = -30792;
const MDB_TXN_FULL = -30788;
const fullCodes: ReadonlySet<unknown> = new Set([
  ENOSPC,
  EFBIG,
  EDQUOT,
  MDB_MAP_FULL,
  MDB_TXN_FULL,
  'ENOSPC',
  'EDQUOT',
]);

/** The caller's error for a failed commit of about `bytes`. */
export async function commitFailure(error: unknown, directory: string, bytes: number): Promise<KVError> {
  const cause = await causeOf(error);
  const detail = messageOf(cause);
  if (fullCodes.has(property(cause, 'code')) || isNearlyFull(directory, bytes)) {
    return noSpace(directory, cause);
  }
  return new KVError('unavailable', `writing to ${directory} failed: ${detail}`, { cause });
}

export function noSpace(directory: string, cause?: unknown): KVError {
  return new KVError('full', `no space left to write in ${directory}`, { cause });
}

/** Whether the operating system rejected an operation of LMDB. LMDB's own errors have negative codes. */
export function isSystemError(cause: unknown): boolean {
  const code = property(cause, 'code');
  return typeof code === 'number' && code > 0;
}

/** The error of all writes after a commit that failed. */
export function brokenBy(failure: KVError, directory: string): KVError {
  const reason = failure.cause instanceof Error ? failure.cause.message : failure.message;
  return new KVError(
    'unavailable',
    `no more writes go to ${directory} since one failed (${reason}); fix the disk and restart the server`,
    { cause: failure },
  );
}

/** Whether the operating system rejected a write for lack of space. Some errors of LMDB have a message but no code. */
export function isNoSpaceError(error: unknown): boolean {
  return fullCodes.has(property(error, 'code')) || property(error, 'message') === 'No space left on device';
}

/** Whether opening a store failed for lack of space, which LMDB may report as a general input/output error. */
export function isOpenedWithoutSpace(error: unknown, directory: string): boolean {
  return isNoSpaceError(error) || (isSystemError(error) && isNearlyFull(directory, 0));
}

/** LMDB's binding rejects with a general error, and slightly later with the specific one in another promise. */
async function causeOf(error: unknown): Promise<unknown> {
  const later = property(error, 'commitError');
  if (!(later instanceof Promise)) return error;
  return later.then(
    () => error,
    (cause: unknown) => cause,
  );
}

/** A truncated write shows as a general input/output error, whatever its cause. */
function isNearlyFull(directory: string, bytes: number): boolean {
  try {
    return !hasSpace(directory, bytes * 2);
  } catch {
    return false;
  }
}

export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The error for a file that is corrupt. */
export function damagedFile(file: string, detail: string): KVError {
  return new KVError('corrupt', `${file} is damaged: ${detail}`);
}
