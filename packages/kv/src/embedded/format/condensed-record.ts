import type { LogRecord } from '../../engine/index.js';
import { applyDifference, type DifferenceLengths, encodeDifference } from './difference.js';
import {
  type Condensed,
  condensedIn,
  contentIn,
  damagedValue,
  decodeHeader,
  encodeCondensed,
  isCondensed,
  isForgotten,
  LONGEST_DISTANCE,
  requireSoundValue,
  requireValue,
  tagIn,
} from './record.js';

/*
 * A condensed record has the difference of its value from a base: the value that superseded it, which may be condensed in
 * turn, or nothing. So a value may be at the end of a chain. The head says how long the chain of older values is, which
 * bounds it.
 */

/** No value is further from a whole one, or from one that needs no base. Reads of an old value cost as many steps. */
export const LONGEST_CHAIN = 16;
/** Large values have shorter chains, because each step makes a value of about that size. */
const LONGEST_CHAIN_BYTES = 1024 * 1024;
/** The share of a value that its difference may have. */
const WORTHWHILE = 0.75;
const nothing = Buffer.alloc(0);

/** Finds the record of a revision. The next call may overwrite its bytes. */
export type RecordReader = (revision: number) => Buffer | undefined;

/** For records that cannot be condensed. */
export const noRecords: RecordReader = () => undefined;

/** A copy of a record that the next read may overwrite. A buffer of LMDB has a length that only its own methods respect. */
export function copyOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray());
}

/** Copies only the value out of `bytes`, which the next read may overwrite. Throws `corrupt`, and `compacted` if it is forgotten. */
export function decodeRecord(revision: number, bytes: Buffer, read: RecordReader): LogRecord {
  const header = decodeHeader(revision, bytes);
  const { value } = viewRecord(revision, bytes, read);
  return { ...header, value: Uint8Array.prototype.slice.call(value) };
}

/** The value and tag of a record whose key the caller knows. The value may be a view on `bytes`. Throws like {@link decodeRecord}. */
export function viewRecord(revision: number, bytes: Buffer, read: RecordReader): Pick<LogRecord, 'value' | 'tag'> {
  const tag = tagIn(revision, bytes);
  requireValue(revision, bytes);
  if (isCondensed(bytes)) return { value: restoredValue(revision, copyOf(bytes), read), tag };
  const value = contentIn(revision, bytes);
  requireSoundValue(revision, bytes, value);
  return { value, tag };
}

/**
 * The value of a record, which may be a view on it. Verifying a checksum costs more than the read, so only {@link decodeRecord} and
 * {@link viewRecord} verify those of whole values.
 */
export function valueIn(revision: number, bytes: Buffer, read: RecordReader): Uint8Array {
  requireValue(revision, bytes);
  return isCondensed(bytes) ? restoredValue(revision, copyOf(bytes), read) : contentIn(revision, bytes);
}

/** Follows the chain to its end, and applies the differences on the way back. */
function restoredValue(revision: number, bytes: Buffer, read: RecordReader): Buffer {
  const differences: { readonly difference: Buffer; readonly length: number; readonly lengths: DifferenceLengths }[] =
    [];
  let at = revision;
  let record = bytes;
  let value: Uint8Array = nothing;
  for (;;) {
    const condensed = condensedIn(at, record);
    const content = Buffer.from(contentIn(at, record));
    if (condensed === undefined) {
      value = content;
      break;
    }
    differences.push({ difference: content, length: condensed.length, lengths: condensed.lengths });
    if (condensed.base === 0) break;
    const base = condensed.base > at && differences.length <= LONGEST_CHAIN ? read(condensed.base) : undefined;
    if (base === undefined || isForgotten(base)) throw damagedValue(revision, bytes);
    at = condensed.base;
    record = base;
  }
  try {
    for (const { difference, length, lengths } of differences.toReversed()) {
      value = applyDifference(difference, value, length, lengths);
    }
  } catch {
    throw damagedValue(revision, bytes);
  }
  const restored = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  requireSoundValue(revision, bytes, restored);
  return restored;
}

/** The condensed form of a record, and the chain that ends in it. */
export interface CondensedRecord {
  readonly bytes: Buffer;
  readonly condensed: Condensed;
}

/** A record, as bytes, under its revision. */
export interface StoredRecord {
  readonly revision: number;
  readonly bytes: Buffer;
}

/**
 * The condensed form of a whole record. `base`: the record that superseded it; undefined for a deletion. `below`: the
 * condensed form of the record that it superseded in its turn. Undefined where that saves little, as for an encrypted value.
 * Throws `corrupt` for a damaged value, which must stay what it is.
 */
export function condense(
  { revision, bytes }: StoredRecord,
  base: StoredRecord | undefined,
  below: Condensed | undefined,
  read: RecordReader,
): CondensedRecord | undefined {
  const value = Buffer.from(viewRecord(revision, bytes, read).value);
  const height = below === undefined || below.base === 0 ? 0 : below.height + 1;
  const isShort = height < LONGEST_CHAIN && height * value.length <= LONGEST_CHAIN_BYTES;
  const isNear = base !== undefined && base.revision - revision <= LONGEST_DISTANCE;
  const on = isShort && isNear ? base : undefined;
  const from = on === undefined ? nothing : Buffer.from(viewRecord(on.revision, on.bytes, read).value);
  const difference = encodeDifference(value, from);
  if (difference.length > value.length * WORTHWHILE) return undefined;
  const condensed = { height: on === undefined ? 0 : height, length: value.length, base: on?.revision ?? 0 };
  return { bytes: encodeCondensed(revision, bytes, condensed, difference), condensed };
}
