import type { RangeRequest, TxnRequest, WatchRequest } from '../interface/index.js';
import { checkKey, checkRevision, checkText } from './keys.js';

/** Throws a `RangeError` for what cannot be a request, at every store alike; so do the others. */
export function checkRange({ prefix, from, limit, revision }: RangeRequest): void {
  checkText(prefix);
  if (from !== undefined) checkText(from);
  if (limit !== undefined) checkRevision('limit', limit, 0);
  if (revision !== undefined) checkRevision('revision', revision, 1);
}

export function checkTxn({ key, expectedRevision, operation }: TxnRequest): void {
  checkKey(key);
  checkRevision('expectedRevision', expectedRevision, 0);
  const ttl = operation.type === 'put' ? operation.ttlSeconds : undefined;
  if (ttl !== undefined && !(ttl > 0)) throw new RangeError(`ttlSeconds must be positive, not ${ttl}`);
}

export function checkWatch({ prefix, fromRevision }: WatchRequest): void {
  checkText(prefix);
  checkRevision('fromRevision', fromRevision, 0);
}

export function checkCompaction(revision: number): void {
  checkRevision('revision', revision, 1);
}
