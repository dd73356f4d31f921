import { isUtf8 } from 'node:buffer';

/** Decodes UTF-8. Every invalid byte becomes one U+FFFD, as in Go (not one for each maximal subpart). */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString('utf8') : decodeInvalidUtf8(buffer);
}

function decodeInvalidUtf8(buffer: Buffer): string {
  const parts: string[] = [];
  let start = 0;
  let index = 0;
  while (index < buffer.length) {
    const length = sequenceLength(buffer, index);
    if (length > 0) {
      index += length;
      continue;
    }
    if (index > start) parts.push(buffer.toString('utf8', start, index));
    parts.push('\ufffd');
    index++;
    start = index;
  }
  if (index > start) parts.push(buffer.toString('utf8', start, index));
  return parts.join('');
}

/** The length of the well-formed sequence at `index`; 0 if there is none. */
function sequenceLength(buffer: Buffer, index: number): number {
  const first = buffer[index] ?? 0;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  if (length === 0 || index + length > buffer.length) return 0;
  return isUtf8(buffer.subarray(index, index + length)) ? length : 0;
}

const surrogate = /[\ud800-\udfff]/;

/** Replaces lone surrogates in `text` by U+FFFD. */
export function wellFormed(text: string): string {
  return surrogate.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text;
}

/** Orders strings by their UTF-8 bytes, as Go orders map keys. UTF-16 order differs above the surrogates. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    let left = a.charCodeAt(index);
    let right = b.charCodeAt(index);
    if (left === right) continue;
    if (left >= 0xd800 && right >= 0xd800) {
      left = left >= 0xe000 ? left - 0x800 : left + 0x2000;
      right = right >= 0xe000 ? right - 0x800 : right + 0x2000;
    }
    return left - right;
  }
  return a.length - b.length;
}

/** Sorts strings in place by their UTF-8 bytes. */
export function sortUtf8(texts: string[]): string[] {
  let isSorted = true;
  let previous = '';
  for (const text of texts) {
    if (surrogate.test(text)) return texts.sort(compareUtf8);
    if (text < previous) isSorted = false;
    previous = text;
  }
  return isSorted ? texts : texts.sort();
}

/** The own keys of `object` in the order of their UTF-8 bytes. */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  return keys.length < 2 ? keys : sortUtf8(keys);
}

const integer = /^(?:0|[1-9]\d{0,9})$/;
const MAX_INDEX = 2 ** 32 - 2;

/** Sorts out almost all keys, at less cost than a pattern. */
const isDigit = (text: string): boolean => text >= '0' && text < ':';

/**
 * The own keys of `object` in the order in which they were set. JavaScript moves keys that are array indexes to the front. An object that has
 * any gives its keys sorted, because Go writes maps so.
 */
export function keysInOrder(object: object): string[] {
  const keys = Object.keys(object);
  const [first = ''] = keys;
  return keys.length > 1 && isDigit(first) && integer.test(first) && Number(first) <= MAX_INDEX ? sortUtf8(keys) : keys;
}
