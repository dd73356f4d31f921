/** A server tells of a version that is older than one it has told of before: its store was put back, or it is another server. */
export class WentBackError extends Error {
  override readonly name = 'WentBackError';

  constructor(before: string, version: string) {
    super(`the server has gone back from version ${before} to ${version}`);
  }
}

/** Versions that are decimal numbers, of any size, have an order; of others nobody knows. Upstream: apimachinery `resourceversion`. */
export function isOlder(version: string, than: string): boolean {
  if (![version, than].every((each) => /^[1-9]\d*$/.test(each))) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}
