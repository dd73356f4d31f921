/** A resource version in a form that {@link compareResourceVersions} cannot order. The message is upstream's. */
export class InvalidResourceVersionError extends Error {
  override readonly name = 'InvalidResourceVersionError';

  constructor(version: string) {
    super(`resource version is not well formed: ${version}`);
  }
}

const wellFormed = /^[1-9][0-9]*$/;

/**
 * Orders two versions of objects of one resource, as numbers of any length: negative if the first is older. Throws an
 * {@link InvalidResourceVersionError}: `0` and leading zeros are not a version of an object.
 * Upstream: apimachinery `pkg/util/resourceversion` (KEP-5504).
 */
export function compareResourceVersions(one: string, other: string): number {
  for (const version of [one, other]) if (!wellFormed.test(version)) throw new InvalidResourceVersionError(version);
  if (one.length !== other.length) return one.length - other.length;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
