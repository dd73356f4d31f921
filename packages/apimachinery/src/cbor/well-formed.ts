import { type Int64, MAX_JSON_DEPTH } from '../json/index.js';
import { Pace, type Steps } from '../work/index.js';
import { CborError, unacceptable } from './cbor-error.js';
import { HeadReader } from './head-reader.js';
import { ARRAY, BIG_NEGATIVE, BIG_POSITIVE, BYTES, majorTypeName, MAP, SIMPLE, TAG, TEXT } from './item-type.js';

/** Upstream: apimachinery `serializer/cbor/internal/modes`. No body has room for this many. */
const MAX_ARRAY_ELEMENTS = 2 ** 31 - 1;
const MAX_MAP_PAIRS = 2 ** 21;
/** JSON has room for this many items in a body of 3 MiB, at two bytes each. Upstream has no such limit. */
const MAX_ITEMS = 1.5 * 1024 * 1024;
/** About a millisecond of work. */
const ITEMS_PER_STEP = 10_000;
/** Lengths from here on overflow Go's int64. */
const INT64_LIMIT = 2n ** 63n;

/**
 * Throws unless the bytes are exactly one data item within the limits. Runs before decoding: truncated input and
 * inflated lengths then cost almost nothing, and the reader needs no bounds checks.
 */
export function* checkWellFormed(bytes: Uint8Array): Steps<void> {
  if (bytes.length === 0) throw new CborError('EOF');
  const items = new HeadReader(bytes);
  const parts = checkItem(items, 0, new Pace(ITEMS_PER_STEP));
  if (parts !== undefined) yield* parts;
  const { remaining } = items;
  if (remaining === 0) return;
  const start = bytes.length - remaining;
  throw new CborError(`cbor: ${remaining} bytes of extraneous data starting at index ${start}`);
}

/**
 * Checks an item without parts; returns the check of the parts of any other, to be run next. `depth`: the enclosing
 * containers and nested tags.
 */
function checkItem(items: HeadReader, depth: number, pace: Pace): Steps<void> | undefined {
  const argument = items.head();
  if (++items.count > MAX_ITEMS) throw new CborError(`cbor: exceeded max number of data items ${MAX_ITEMS}`);
  switch (items.type) {
    case BYTES:
    case TEXT:
      if (items.isIndefinite) checkChunks(items, items.type);
      else skipString(items, argument);
      return undefined;
    case ARRAY:
    case MAP:
      return checkContainer(items, argument, deeper(depth), pace);
    case TAG:
      return checkTag(items, argument, depth, pace);
    case SIMPLE:
      checkFloat(items);
      return undefined;
    default:
      return undefined;
  }
}

function skipString(items: HeadReader, length: Int64): void {
  if (length >= INT64_LIMIT) {
    throw new CborError(`cbor: ${majorTypeName(items.type)} length ${length} is too large, causing integer overflow`);
  }
  items.skip(length);
}

function checkChunks(items: HeadReader, type: number): void {
  while (!items.ends()) {
    if (items.nextType() !== type) {
      const found = majorTypeName(items.nextType());
      throw new CborError(`cbor: wrong element type ${found} for indefinite-length ${majorTypeName(type)}`);
    }
    if (items.isNextIndefinite()) {
      throw new CborError(`cbor: indefinite-length ${majorTypeName(type)} chunk is not definite-length`);
    }
    skipString(items, items.head());
  }
}

function* checkContainer(items: HeadReader, count: Int64, depth: number, pace: Pace): Steps<void> {
  const { type } = items;
  if (items.isIndefinite) {
    let length = 0;
    for (; !items.ends(); length++) {
      const parts = checkItem(items, depth, pace);
      if (parts !== undefined) yield* parts;
      if (pace.endsStep()) yield;
    }
    if (type === MAP && length % 2 === 1) throw new CborError('cbor: unexpected "break" code');
    if (type === MAP && length / 2 > MAX_MAP_PAIRS) throw tooManyPairs();
    return;
  }
  if (count >= INT64_LIMIT) {
    throw new CborError(`cbor: ${majorTypeName(type)} length ${count} is too large, it would cause integer overflow`);
  }
  if (type === MAP && count > MAX_MAP_PAIRS) throw tooManyPairs();
  if (type === ARRAY && count > MAX_ARRAY_ELEMENTS) {
    throw new CborError(`cbor: exceeded max number of elements ${MAX_ARRAY_ELEMENTS} for CBOR array`);
  }
  const length = Number(count) * (type === MAP ? 2 : 1);
  for (let index = 0; index < length; index++) {
    const parts = checkItem(items, depth, pace);
    if (parts !== undefined) yield* parts;
    if (pace.endsStep()) yield;
  }
}

/** Only a tag inside another tag adds to the depth. */
function* checkTag(items: HeadReader, outermost: Int64, depth: number, pace: Pace): Steps<void> {
  let tag = outermost;
  let level = depth;
  for (;;) {
    const next = items.nextType();
    if (tag === BIG_POSITIVE || tag === BIG_NEGATIVE) throw unacceptable(TAG, 'bignum');
    if (next !== TAG) break;
    tag = items.head();
    level = deeper(level);
  }
  const parts = checkItem(items, level, pace);
  if (parts !== undefined) yield* parts;
}

function checkFloat(items: HeadReader): void {
  if (!items.isFloat) return;
  const value = items.float();
  if (Number.isNaN(value)) throw unacceptable(SIMPLE, 'floating-point NaN');
  if (!Number.isFinite(value)) throw unacceptable(SIMPLE, 'floating-point infinity');
}

function deeper(depth: number): number {
  if (depth >= MAX_JSON_DEPTH) throw new CborError(`cbor: exceeded max nested level ${MAX_JSON_DEPTH}`);
  return depth + 1;
}

function tooManyPairs(): CborError {
  return new CborError(`cbor: exceeded max number of key-value pairs ${MAX_MAP_PAIRS} for CBOR map`);
}
