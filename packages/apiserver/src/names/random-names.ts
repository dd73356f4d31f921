import { randomBytes } from 'node:crypto';

/** Letters and digits that spell nothing by accident. Upstream: apimachinery `pkg/util/rand`. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAXIMUM_LENGTH = 63;

/** A name out of `metadata.generateName`: the prefix, cut to fit, and five random characters. */
export function generateName(prefix: string): string {
  return prefix.slice(0, MAXIMUM_LENGTH - SUFFIX_LENGTH) + randomSuffix();
}

export function randomSuffix(): string {
  let suffix = '';
  while (suffix.length < SUFFIX_LENGTH) {
    for (const byte of randomBytes(8)) {
      // Bytes past the last whole multiple would favour the first letters.
      if (byte >= 243 || suffix.length === SUFFIX_LENGTH) continue;
      suffix += ALPHABET[byte % ALPHABET.length] ?? '';
    }
  }
  return suffix;
}
