import type { CertificateRequest } from '@binnacle/apimachinery/certificaterequests';

/** What a signer adds to a request. */
export interface SigningTerms {
  /** By the names of the certificates API, such as `client auth`. Unknown ones are left out. */
  readonly usages: readonly string[];
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Signs certificates for requests. */
export interface Signer {
  /** When its own certificate ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /**
   * A certificate with the subject, the alternative names and the key of a request, and nothing else of it, as PEM. Throws for a request that is
   * not signed with its key. The caller decides on its content.
   */
  sign(request: CertificateRequest, terms: SigningTerms): string;
}
