import type { CertificatePair } from './certificate-pair.js';
import type { Signer } from './signer.js';

/** A signer with an existing authority, whose key is RSA, of a NIST curve or Ed25519. */
export async function signerOf(authority: CertificatePair): Promise<Signer> {
  // The encoding library takes long to load.
  const { RequestSigner } = await import('./request-signer.js');
  return new RequestSigner(authority);
}
