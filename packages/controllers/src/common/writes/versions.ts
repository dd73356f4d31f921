/** Versions of one resource are comparable integers. Upstream: KEP-5504. */
export function isAtLeast(version: string | undefined, wanted: string): boolean {
  if (version === undefined) return false;
  return version.length === wanted.length ? version >= wanted : version.length > wanted.length;
}
