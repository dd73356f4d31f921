import type { CertificatePair } from '../certificates/index.js';

export interface ServerCertificate {
  readonly serving: CertificatePair;
  /** PEM texts of the authorities that clients are to trust. Undefined: the source does not know them. */
  readonly caBundle: string | undefined;
}

/** Where the certificate of a server comes from. */
export interface CertificateSource {
  /** Milliseconds between calls of {@link refresh}. */
  readonly interval: number;
  /**
   * The certificate to serve from now on; the same object until it changes. The server calls it before it starts and at
   * every interval, one call at a time. Clients must trust the bundle before the server uses the certificate.
   */
  refresh(now: number): Promise<ServerCertificate>;
}
