import {
  type HistoryRequest,
  MAX_AUTHOR_BYTES,
  MAX_HISTORY_EVENTS,
  MAX_MARK_BYTES,
  MAX_NOTE_BYTES,
  type RangeRequest,
  type TxnRequest,
  type WatchRequest,
} from '../interface/index.js';
import { checkKey, checkRevision, checkText } from './keys.js';

const LARGEST_TAG = 0xffff_ffff;

/** Each of these throws a `RangeError` for an invalid request, in every store. */
export function checkRange({ prefix, from, limit, revision }: RangeRequest): void {
  checkText(prefix);
  if (from !== undefined) checkText(from);
  if (limit !== undefined) checkRevision('limit', limit, 0);
  if (revision !== undefined) checkRevision('revision', revision, 1);
}

export function checkTxn({ key, expectedRevision, operation, conditions, author }: TxnRequest): void {
  checkKey(key);
  checkRevision('expectedRevision', expectedRevision, 0);
  for (const condition of conditions ?? []) {
    checkKey(condition.key);
    checkRevision('expectedRevision', condition.expectedRevision, 0);
  }
  if (author !== undefined) {
    checkLength('the name of an author', author.name, MAX_AUTHOR_BYTES);
    checkLength('the mark of an author', author.mark, MAX_MARK_BYTES);
  }
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

export function checkHistory({ prefix, before, after, limit }: HistoryRequest): void {
  checkText(prefix);
  if (before !== undefined) checkRevision('before', before, 1);
  if (after !== undefined) checkRevision('after', after, 0);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_HISTORY_EVENTS) {
    throw new RangeError(`limit must be an integer from 1 to ${MAX_HISTORY_EVENTS}, not ${limit}`);
  }
}

function checkLength(what: string, text: string, most: number): void {
  if (text.length * 3 > most && Buffer.byteLength(text) > most) {
    throw new RangeError(`${what} must not be longer than ${most} bytes, this one has ${Buffer.byteLength(text)}`);
  }
}

export function checkCompaction(revision: number): void {
  checkRevision('revision', revision, 1);
}

export function checkForgetting(prefix: string, revision: number): void {
  checkKey(prefix);
  checkRevision('revision', revision, 1);
}

export function checkNote(name: string, note: Uint8Array): void {
  checkKey(name);
  if (note.length > MAX_NOTE_BYTES) {
    throw new RangeError(`a note must not be longer than ${MAX_NOTE_BYTES} bytes, this one has ${note.length}`);
  }
}
