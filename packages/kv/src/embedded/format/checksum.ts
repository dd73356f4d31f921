import { crc32 } from 'node:zlib';

/** Below this many bytes a view of them and the call of native code cost more than the checksum. */
const SHORT_BYTES = 128;
const POLYNOMIAL = 0xedb88320;

const [table0, table1, table2, table3] = tables();

/** The CRC-32 of `bytes` from `start` to `end`. */
export function checksum(bytes: Uint8Array, start: number, end: number, seed = 0): number {
  return end - start < SHORT_BYTES
    ? shortChecksum(bytes, start, end, seed)
    : crc32(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), seed);
}

/** Four bytes at a time. */
function shortChecksum(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let rest = ~seed;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    rest ^= byte(bytes, at) | (byte(bytes, at + 1) << 8) | (byte(bytes, at + 2) << 16) | (byte(bytes, at + 3) << 24);
    rest = entry(table3, rest) ^ entry(table2, rest >>> 8) ^ entry(table1, rest >>> 16) ^ entry(table0, rest >>> 24);
  }
  for (; at < end; at += 1) rest = entry(table0, rest ^ byte(bytes, at)) ^ (rest >>> 8);
  return ~rest >>> 0;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function entry(table: Int32Array, index: number): number {
  return table[index & 0xff] ?? 0;
}

/** The checksum of a byte that 0, 1, 2 or 3 zeros follow. */
function tables(): [Int32Array, Int32Array, Int32Array, Int32Array] {
  const first = Int32Array.from({ length: 256 }, (_, index) => {
    let rest = index;
    for (let bit = 0; bit < 8; bit += 1) rest = (rest & 1) === 0 ? rest >>> 1 : (rest >>> 1) ^ POLYNOMIAL;
    return rest;
  });
  const next = (table: Int32Array): Int32Array => table.map((each) => entry(first, each) ^ (each >>> 8));
  const second = next(first);
  const third = next(second);
  return [first, second, third, next(third)];
}
