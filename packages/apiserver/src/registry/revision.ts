import { badRequest } from '@binnacle/apimachinery/status';

/** What a list says of a version that is none. */
export function invalidListVersion(message: string): Error {
  return badRequest(`invalid resource version: ${message}`);
}

/** Any spelling of 0: any state will do. */
export function isZero(resourceVersion: string): boolean {
  return /^0+$/.test(resourceVersion);
}

/** A resourceVersion as a number. Upstream's words for what is none. */
export function parseRevision(text: string, invalid: (message: string) => Error): number {
  const revision = Number(text);
  if (/^[0-9]+$/.test(text) && Number.isSafeInteger(revision)) return revision;
  const problem = /^[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw invalid(
    `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`,
  );
}
