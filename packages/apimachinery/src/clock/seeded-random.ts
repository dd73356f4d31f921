import type { Random } from './random.js';

/** Gives the same sequence for the same seed, an integer. For tests and simulations, because an observer can predict it. */
export function seededRandom(seed: number): Random {
  return randomOf(xoshiro128(seed));
}

/** Derives bytes and UUIDs from a function that returns numbers from 0 to below 1. */
export function randomOf(number: () => number): Random {
  const bytes = (length: number): Uint8Array => {
    const filled = new Uint8Array(length);
    for (let index = 0; index < length; index++) filled[index] = Math.floor(number() * 256);
    return filled;
  };
  const fork = (): Random => seededRandom(Math.floor(number() * 2 ** 32));
  return { number, bytes, uuid: () => formatUuid(bytes(16)), fork };
}

function formatUuid(bytes: Uint8Array): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes.buffer).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** xoshiro128** of Blackman and Vigna. Its state is filled by splitmix32, as they advise. */
function xoshiro128(seed: number): () => number {
  const state = Uint32Array.of(0, 0, 0, 0);
  let counter = seed | 0;
  for (let index = 0; index < state.length; index++) {
    counter = (counter + 0x9e37_79b9) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    state[index] = mixed ^ (mixed >>> 15);
  }
  let [a = 0, b = 0, c = 0, d = 0] = state;
  const next = (): number => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  // 53 bits, the precision of a double between 0 and 1.
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}
