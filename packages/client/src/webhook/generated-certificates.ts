import { X509Certificate } from 'node:crypto';
import { type CertificatePair, createIssuer, issuerOf } from '../certificates/index.js';
import type { CertificateSource, ServerCertificate } from './certificate-source.js';

const HOUR = 60 * 60 * 1000;
const RENEW_BEFORE = 30 * 24 * HOUR;
const NAME = 'webhook';

interface GeneratedCertificate extends ServerCertificate {
  /** The newest one last. */
  readonly authorities: readonly CertificatePair[];
  /** The authority of `serving`. */
  readonly issuer: CertificatePair;
}

/** Generates an authority and a certificate for these hosts, and renews both a month before they expire. */
export function generatedCertificates(hosts: readonly string[]): CertificateSource {
  let present: GeneratedCertificate | undefined;
  return {
    interval: HOUR,
    async refresh(now) {
      present = present === undefined ? await generate(hosts, now) : await renew(present, hosts, now);
      return present;
    },
  };
}

async function generate(hosts: readonly string[], now: number): Promise<GeneratedCertificate> {
  const { authority } = await createIssuer(`${NAME}-ca`, now);
  return issue([authority], authority, hosts, now);
}

/**
 * Takes at most one step. A new authority only joins the bundle; the next call issues a certificate from it. API servers
 * have time in between to learn the bundle.
 */
async function renew(
  present: GeneratedCertificate,
  hosts: readonly string[],
  now: number,
): Promise<GeneratedCertificate> {
  const { authorities, serving, issuer } = present;
  // The program was suspended for so long that there is nothing left to keep.
  if (endOf(serving) <= now) return generate(hosts, now);
  const newest = authorities.at(-1) ?? issuer;
  if (endOf(newest) - RENEW_BEFORE <= now) {
    const { authority } = await createIssuer(`${NAME}-ca`, now);
    return { ...present, ...bundleOf([...authorities, authority]) };
  }
  if (newest === issuer && endOf(serving) - RENEW_BEFORE > now) return present;
  return issue(
    authorities.filter((each) => endOf(each) > now),
    newest,
    hosts,
    now,
  );
}

async function issue(
  authorities: readonly CertificatePair[],
  issuer: CertificatePair,
  hosts: readonly string[],
  now: number,
): Promise<GeneratedCertificate> {
  const serving = (await issuerOf(issuer, now)).issueServing(NAME, hosts);
  return { ...bundleOf(authorities), serving, issuer };
}

function bundleOf(authorities: readonly CertificatePair[]) {
  return { authorities, caBundle: authorities.map(({ certificate }) => certificate).join('') };
}

function endOf({ certificate }: CertificatePair): number {
  return Date.parse(new X509Certificate(certificate).validTo);
}
