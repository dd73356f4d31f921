import { badRequest } from '@binnacle/apimachinery/status';

/** What a list says of a version that is none. */
export function invalidListVersion(message: string): Error {
  return badRequest(`invalid resource version: ${message}`);
}

/** Any spelling of 0: any state will do. */
export function isZero(resourceVersion: string): boolean {
  return /^0+$/.test(resourceVersion);
}

/** More digits than any number of 64 bits has. */
const TOO_LONG = 64;
const LARGEST = 2n ** 64n - 1n;

/**
 * A resourceVersion as a number. What no store gets to is the largest number that is exact. Upstream's words for what is none.
 */
export function parseRevision(text: string, invalid: (message: string) => Error): number {
  if (text.length < TOO_LONG && /^[0-9]+$/.test(text) && BigInt(text) <= LARGEST) {
    return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  }
  const problem = /^[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw invalid(
    `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`,
  );
}
