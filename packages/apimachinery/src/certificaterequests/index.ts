export type { AlternativeNames } from './alternative-names.js';
export { type CertificateRequest, MALFORMED, readCertificateRequest } from './certificate-request.js';
export { type PemBlock, readPem } from './pem.js';
export type { SignedRequest } from './signed-request.js';
