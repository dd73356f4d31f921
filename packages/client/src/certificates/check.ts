import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificatePair } from './certificate-pair.js';

const day = 24 * 60 * 60 * 1000;

/** Certificates are renewed this long before they expire, so that a server may run for a month after its start. */
const renewBefore = 30 * day;

/** Whether an authority is valid for another 30 days, and has its key. */
export function isValidAuthority(pair: CertificatePair | undefined, now: number): boolean {
  const certificate = readPair(pair, now);
  return certificate !== undefined && certificate.ca && certificate.verify(certificate.publicKey);
}

/** Whether a certificate is valid for another 30 days, has its key, is signed by this authority, and covers all of these hosts. */
export function isValidLeaf(
  pair: CertificatePair | undefined,
  authority: CertificatePair | undefined,
  now: number,
  hosts: readonly string[],
): boolean {
  const certificate = readPair(pair, now);
  const issuer = readPair(authority, now);
  if (certificate === undefined || issuer === undefined) return false;
  if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) return false;
  return hosts.every(
    (host) => (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined,
  );
}

/** The certificate, if it is readable, valid, and matches its key. */
function readPair(pair: CertificatePair | undefined, now: number): X509Certificate | undefined {
  if (pair === undefined) return undefined;
  try {
    const certificate = new X509Certificate(pair.certificate);
    const inDate = Date.parse(certificate.validFrom) <= now && Date.parse(certificate.validTo) - renewBefore > now;
    return inDate && certificate.checkPrivateKey(createPrivateKey(pair.privateKey)) ? certificate : undefined;
  } catch {
    return undefined;
  }
}
