/** Milliseconds since the epoch. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

const MINUTE = 60_000;
/** For clients whose clocks are slow. */
const BACKDATE = 5 * MINUTE;
/** A shorter lifetime is not shortened by the backdating. */
const SHORT = 8 * 60 * MINUTE;
const SHORTEST = 10 * MINUTE;

/**
 * When a certificate begins and ends: the requested time, within limits, and never longer than its authority. Throws for an authority that has
 * expired. Upstream: `PermissiveSigningPolicy`.
 */
export function validityOf(
  expirationSeconds: number | undefined,
  longest: number,
  authorityEnds: number,
  now: number,
): Validity {
  const wanted = expirationSeconds === undefined ? longest : expirationSeconds * 1000;
  const lifetime = Math.min(Math.max(wanted, SHORTEST), longest);
  const notBefore = now - BACKDATE;
  if (now >= authorityEnds)
    throw new Error(`the signer has expired: NotAfter=${new Date(authorityEnds).toISOString()}`);
  const notAfter = lifetime < SHORT ? now + lifetime : now + lifetime - BACKDATE;
  return { notBefore: wholeSeconds(notBefore), notAfter: wholeSeconds(Math.min(notAfter, authorityEnds)) };
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}
