import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/*
 * A difference: prefixLength(4) suffixLength(4) middle. The value is that many first bytes of its base, the middle, and that many last
 * bytes of its base. The middle is deflated, with the same part of the base as its dictionary, unless that makes it longer.
 */
const LENGTH_BYTES = 8;
/** Longer ones are deflated in less time, and less well. */
const LONG_BYTES = 65_536;
const LEVEL_OF_LONG = 1;
/** Deflate looks no further back. */
const DICTIONARY_BYTES = 32_768;

/** What it takes to make `value` out of `base`, which may be empty. */
export function encodeDifference(value: Uint8Array, base: Uint8Array): Buffer {
  const prefix = commonPrefix(value, base);
  const suffix = commonSuffix(value, base, prefix);
  const middle = value.subarray(prefix, value.length - suffix);
  const level = middle.length > LONG_BYTES ? LEVEL_OF_LONG : constants.Z_DEFAULT_COMPRESSION;
  const deflated = deflateRawSync(middle, { ...dictionary(base, prefix, suffix), level });
  const head = Buffer.allocUnsafe(LENGTH_BYTES);
  head.writeUInt32BE(prefix, 0);
  head.writeUInt32BE(suffix, 4);
  return Buffer.concat([head, deflated.length < middle.length ? deflated : middle]);
}

/** The value of `length` bytes. Throws a `RangeError`, or zlib's error, unless this is its difference from `base`. */
export function applyDifference(difference: Buffer, base: Uint8Array, length: number): Buffer {
  if (difference.length < LENGTH_BYTES) throw new RangeError('the difference is cut off');
  const prefix = difference.readUInt32BE(0);
  const suffix = difference.readUInt32BE(4);
  const middleLength = length - prefix - suffix;
  if (middleLength < 0 || prefix + suffix > base.length) throw new RangeError('the difference has another base');
  const stored = difference.subarray(LENGTH_BYTES);
  const middle = stored.length === middleLength ? stored : inflate(stored, middleLength, base, prefix, suffix);
  return Buffer.concat([base.subarray(0, prefix), middle, base.subarray(base.length - suffix)]);
}

function inflate(stored: Buffer, length: number, base: Uint8Array, prefix: number, suffix: number): Buffer {
  if (stored.length > length) throw new RangeError('the difference is too long');
  const middle = inflateRawSync(stored, { ...dictionary(base, prefix, suffix), maxOutputLength: length });
  if (middle.length !== length) throw new RangeError('the difference is too short');
  return middle;
}

function dictionary(base: Uint8Array, prefix: number, suffix: number): { readonly dictionary?: Uint8Array } {
  const middle = base.subarray(prefix, base.length - suffix);
  return middle.length === 0 ? {} : { dictionary: middle.subarray(-DICTIONARY_BYTES) };
}

function commonPrefix(value: Uint8Array, base: Uint8Array): number {
  const most = Math.min(value.length, base.length);
  let length = 0;
  while (length < most && value[length] === base[length]) length += 1;
  return length;
}

function commonSuffix(value: Uint8Array, base: Uint8Array, prefix: number): number {
  const most = Math.min(value.length, base.length) - prefix;
  let length = 0;
  while (length < most && value.at(-1 - length) === base.at(-1 - length)) length += 1;
  return length;
}
