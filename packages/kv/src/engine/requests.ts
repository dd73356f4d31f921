import { MAX_NOTE_BYTES, type RangeRequest, type TxnRequest, type WatchRequest } from '../interface/index.js';
import { checkKey, checkRevision, checkText } from './keys.js';

const LARGEST_TAG = 0xffff_ffff;

/** Each of these throws a `RangeError` for an invalid request, in every store. */
export function checkRange({ prefix, from, limit, revision }: RangeRequest): void {
  checkText(prefix);
  if (from !== undefined) checkText(from);
  if (limit !== undefined) checkRevision('limit', limit, 0);
  if (revision !== undefined) checkRevision('revision', revision, 1);
}

export function checkTxn({ key, expectedRevision, operation }: TxnRequest): void {
  checkKey(key);
  checkRevision('expectedRevision', expectedRevision, 0);
  if (operation.type !== 'put') return;
  const { ttlSeconds: ttl, tag } = operation;
  if (ttl !== undefined && !(ttl > 0)) throw new RangeError(`ttlSeconds must be positive, not ${ttl}`);
  if (tag !== undefined && !(Number.isInteger(tag) && tag >= 1 && tag <= LARGEST_TAG)) {
    throw new RangeError(`tag must be an integer from 1 to ${LARGEST_TAG}, not ${tag}`);
  }
}

export function checkWatch({ prefix, fromRevision }: WatchRequest): void {
  checkText(prefix);
  checkRevision('fromRevision', fromRevision, 0);
}

export function checkCompaction(revision: number): void {
  checkRevision('revision', revision, 1);
}

export function checkNote(name: string, note: Uint8Array): void {
  checkKey(name);
  if (note.length > MAX_NOTE_BYTES) {
    throw new RangeError(`a note must not be longer than ${MAX_NOTE_BYTES} bytes, this one has ${note.length}`);
  }
}
