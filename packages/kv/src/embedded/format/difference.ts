import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/*
 * A difference begins with a number. If it is even, half of it is the length of a prefix, and the length of a suffix and a middle
 * follow. The value is that many first bytes of its base, the middle, and that many last bytes of its base. The middle is deflated, with the
 * same part of the base as its dictionary, unless that makes it longer.
 *
 * If it is odd, the value has the length of its base, and half of the number is the length of a prefix. Then follow, again and again, the number of
 * bytes that are replaced, these bytes, and the number of bytes that stay.
 *
 * A number has 7 bits a byte, the lowest first; the highest bit says that more follow. In format 4 a difference has the lengths of the
 * prefix and of the suffix, 4 bytes each, and a middle.
 */
const FIXED_LENGTH_BYTES = 4;
/** Enough for 33 bits. */
const MOST_NUMBER_BYTES = 5;
/** Shorter gaps between replaced bytes cost more than the bytes themselves. */
const LEAST_GAP = 3;
/** Deflated middles are hardly shorter than this. */
const SHORT_BYTES = 48;
/** Longer ones are deflated in less time, and less well. */
const LONG_BYTES = 65_536;
const LEVEL_OF_LONG = 1;
/** Deflate looks no further back. */
const DICTIONARY_BYTES = 32_768;

/** `fixed`: the form of format 4. */
export type DifferenceLengths = 'fixed' | 'variable';

/** The difference that makes `value` out of `base`, which may be empty. */
export function encodeDifference(value: Uint8Array, base: Uint8Array): Buffer {
  const prefix = commonPrefix(value, base);
  const replaced = value.length === base.length ? encodeReplaced(value, base, prefix) : undefined;
  if (replaced !== undefined && replaced.length <= SHORT_BYTES) return replaced;
  const middle = encodeMiddle(value, base, prefix);
  return replaced !== undefined && replaced.length < middle.length ? replaced : middle;
}

function encodeMiddle(value: Uint8Array, base: Uint8Array, prefix: number): Buffer {
  const suffix = commonSuffix(value, base, prefix);
  const middle = value.subarray(prefix, value.length - suffix);
  const level = middle.length > LONG_BYTES ? LEVEL_OF_LONG : constants.Z_DEFAULT_COMPRESSION;
  const deflated = deflateRawSync(middle, { ...dictionary(base, prefix, suffix), level });
  const head = Buffer.from([...numberBytes(2 * prefix), ...numberBytes(suffix)]);
  return Buffer.concat([head, deflated.length < middle.length ? deflated : middle]);
}

/** The value of `length` bytes. Throws a `RangeError`, or zlib's error, unless this is its difference from `base`. */
export function applyDifference(
  difference: Buffer,
  base: Uint8Array,
  length: number,
  lengths: DifferenceLengths,
): Buffer {
  if (lengths === 'fixed') {
    if (difference.length < 2 * FIXED_LENGTH_BYTES) throw cutOff();
    const [prefix, suffix] = [difference.readUInt32BE(0), difference.readUInt32BE(FIXED_LENGTH_BYTES)];
    return applyMiddle(difference.subarray(2 * FIXED_LENGTH_BYTES), base, { prefix, suffix, length });
  }
  const first = readNumber(difference, 0);
  const prefix = Math.floor(first.value / 2);
  if (first.value % 2 === 1) return applyReplaced(difference.subarray(first.end), base, { prefix, length });
  const { value: suffix, end } = readNumber(difference, first.end);
  return applyMiddle(difference.subarray(end), base, { prefix, suffix, length });
}

/** Undefined if more than half of the value is replaced. */
function encodeReplaced(value: Uint8Array, base: Uint8Array, prefix: number): Buffer | undefined {
  const most = value.length / 2;
  const bytes = Buffer.allocUnsafe(Math.floor(most) + 3 * MOST_NUMBER_BYTES);
  let length = 0;
  const add = (part: Uint8Array): void => {
    bytes.set(part, length);
    length += part.length;
  };
  add(Uint8Array.from(numberBytes(2 * prefix + 1)));
  for (let start = prefix; start < value.length; ) {
    let end = start;
    let equal = 0;
    for (; end + equal < value.length && equal < LEAST_GAP; ) {
      if (value[end + equal] === base[end + equal]) equal += 1;
      else {
        end += equal + 1;
        equal = 0;
      }
    }
    let next = end + equal;
    while (next < value.length && value[next] === base[next]) next += 1;
    if (length + end - start > most) return undefined;
    add(Uint8Array.from(numberBytes(end - start)));
    add(value.subarray(start, end));
    add(Uint8Array.from(numberBytes(next - end)));
    if (length > most) return undefined;
    start = next;
  }
  return bytes.subarray(0, length);
}

function applyReplaced(
  replaced: Buffer,
  base: Uint8Array,
  { prefix, length }: { readonly prefix: number; readonly length: number },
): Buffer {
  if (base.length !== length) throw new RangeError('the difference has another base');
  const value = Buffer.from(base);
  let position = prefix;
  for (let read = 0; read < replaced.length; ) {
    const bytes = readNumber(replaced, read);
    const end = bytes.end + bytes.value;
    const gap = readNumber(replaced, end);
    if (position + bytes.value > length) throw new RangeError('the difference is too long');
    value.set(replaced.subarray(bytes.end, end), position);
    position += bytes.value + gap.value;
    read = gap.end;
  }
  return value;
}

interface Lengths {
  readonly prefix: number;
  readonly suffix: number;
  /** Of the value. */
  readonly length: number;
}

function applyMiddle(stored: Buffer, base: Uint8Array, { prefix, suffix, length }: Lengths): Buffer {
  const middleLength = length - prefix - suffix;
  if (middleLength < 0 || prefix + suffix > base.length) throw new RangeError('the difference has another base');
  const middle = stored.length === middleLength ? stored : inflate(stored, middleLength, base, prefix, suffix);
  return Buffer.concat([base.subarray(0, prefix), middle, base.subarray(base.length - suffix)]);
}

function* numberBytes(number: number): Generator<number> {
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) yield 128 + (rest % 128);
  yield rest;
}

/** `end`: where the next field begins. */
function readNumber(difference: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < MOST_NUMBER_BYTES; index += 1) {
    const byte = difference[start + index];
    if (byte === undefined) break;
    value += (byte % 128) * 128 ** index;
    if (byte < 128) return { value, end: start + index + 1 };
  }
  throw cutOff();
}

function cutOff(): RangeError {
  return new RangeError('the difference is cut off');
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
