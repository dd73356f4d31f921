import { badRequest } from '@binnacle/apimachinery/status';

/** The error of a list whose resourceVersion is invalid. */
export function invalidListVersion(message: string): Error {
  return badRequest(`invalid resource version: ${message}`);
}

/** Whether this is 0 in any spelling: any state will do. */
export function isZero(resourceVersion: string): boolean {
  return /^0+$/.test(resourceVersion);
}

/** More digits than any 64-bit number has. */
const TOO_LONG = 64;
const LARGEST = 2n ** 64n - 1n;

/**
 * A resourceVersion as a number. Values beyond the safe integers become the largest one, which no store reaches.
 * Refusals have upstream's words.
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
