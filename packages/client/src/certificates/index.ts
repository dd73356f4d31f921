export type { CertificatePair } from './certificate-pair.js';
export { isValidAuthority, isValidLeaf } from './check.js';
export { createIssuer, issuerOf } from './create-issuer.js';
export type { Issuer, Subject } from './issuer.js';
export { signerOf } from './signer-of.js';
export type { Signer, SigningTerms } from './signer.js';
