import type { CertificatePair } from './certificate-pair.js';
import type { Issuer } from './issuer.js';

/** Generates a self-signed authority whose name begins with `name`. `now`: milliseconds since 1970. */
export async function createIssuer(name: string, now: number): Promise<Issuer> {
  return (await loadIssuer()).create(name, now);
}

/** An issuer with an existing authority. Rejects for a key that is not on an elliptic curve. */
export async function issuerOf(authority: CertificatePair, now: number): Promise<Issuer> {
  return (await loadIssuer()).load(authority, now);
}

/** The encoding library takes longer to load than most programs take to start, so only the first use loads it. */
async function loadIssuer() {
  const { CertificateIssuer } = await import('./certificate-issuer.js');
  return CertificateIssuer;
}
