/** A source of random values for names, ids, choices and jitter. Keys and secrets always come from `node:crypto` instead. */
export interface Random {
  /** From 0 to below 1. */
  number(): number;
  bytes(length: number): Uint8Array;
  /** A UUID of version 4. */
  uuid(): string;
  /** Another source. Using one does not change the sequence of the other. */
  fork(): Random;
}

/** One of the items; undefined if there is none. */
export function pick<T>(random: Random, items: readonly T[]): T | undefined {
  return items[Math.floor(random.number() * items.length)];
}

/** The most bytes that one call of the platform's generator fills. */
const LONGEST_FILL = 65_536;

/** The platform's generator. Bytes and UUIDs cannot be predicted. */
export const systemRandom: Random = {
  number: () => Math.random(),
  bytes: (length) => {
    const bytes = new Uint8Array(length);
    for (let start = 0; start < length; start += LONGEST_FILL) {
      crypto.getRandomValues(bytes.subarray(start, start + LONGEST_FILL));
    }
    return bytes;
  },
  uuid: () => crypto.randomUUID(),
  fork: () => systemRandom,
};
