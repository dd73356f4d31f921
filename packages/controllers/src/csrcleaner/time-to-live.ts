import type { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { X509Certificate } from 'node:crypto';
import { isIssued } from '../certificaterequests/index.js';
import { timeOf } from '../common/index.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Milliseconds until a request is to be deleted, 0 or less if it is time; Infinity if it stays as it is. */
export function timeToLive(request: CertificateSigningRequest, now: number): number {
  const { metadata, status } = request;
  const conditions = status?.conditions ?? [];
  const issued = isIssued(request);
  const ends = conditions.map(({ type, lastUpdateTime }) => {
    const since = timeOf(lastUpdateTime);
    if (since === undefined) return Infinity;
    if (type === 'Denied' || type === 'Failed') return since + HOUR;
    return type === 'Approved' ? since + (issued ? HOUR : DAY) : Infinity;
  });
  if (conditions.length === 0) ends.push((timeOf(metadata.creationTimestamp) ?? Infinity) + DAY);
  if (conditions.some(({ type }) => type === 'Approved')) ends.push(expiryOf(status?.certificate ?? ''));
  return Math.min(...ends) - now;
}

/** When a certificate expires, in milliseconds since the epoch; Infinity for what is not a certificate. */
function expiryOf(certificate: string): number {
  if (certificate === '') return Infinity;
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
  } catch {
    return Infinity;
  }
}
