export type { AlternativeNames } from './alternative-names.js';
export { certificateBlocks } from './certificate-blocks.js';
export {
  type CertificateRequest,
  MALFORMED,
  readCertificateRequest,
  readRequestBytes,
  type SignedRequest,
} from './certificate-request.js';
export { type PemBlock, readPem } from './pem.js';
