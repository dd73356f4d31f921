export type { AlternativeNames } from './alternative-names.js';
export {
  type CertificateRequest,
  MALFORMED,
  readCertificateRequest,
  type SignedRequest,
} from './certificate-request.js';
export { type PemBlock, readPem } from './pem.js';
