import type { CertificatePair } from './certificate-pair.js';

/** A certificate authority that can sign. */
export interface Issuer {
  readonly authority: CertificatePair;
  /** A server certificate. `hosts`: DNS names and IP addresses at which clients reach the server. */
  issueServing(commonName: string, hosts: readonly string[]): CertificatePair;
  issueClient(subject: Subject): CertificatePair;
}

export interface Subject {
  readonly commonName: string;
  readonly organization?: string;
}
