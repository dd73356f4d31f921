import type { Random } from '@binnacle/apimachinery/clock';

/** Letters and digits that do not spell words. Upstream: apimachinery `pkg/util/rand`. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAXIMUM_LENGTH = 63;

/** Generates a name from `metadata.generateName`: the prefix, truncated if needed, and five random characters. */
export function generateName(prefix: string, random: Random): string {
  return prefix.slice(0, MAXIMUM_LENGTH - SUFFIX_LENGTH) + randomSuffix(random);
}

export function randomSuffix(random: Random): string {
  let suffix = '';
  while (suffix.length < SUFFIX_LENGTH) {
    for (const byte of random.bytes(8)) {
      // Larger bytes are skipped: they would make the first letters more likely.
      if (byte >= 243 || suffix.length === SUFFIX_LENGTH) continue;
      suffix += ALPHABET[byte % ALPHABET.length] ?? '';
    }
  }
  return suffix;
}
