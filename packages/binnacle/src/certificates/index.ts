export type { CertificatePair, CertificateSet } from './certificate-set.js';
export { completeCertificateSet } from './certificate-set.js';
export { loadCertificates } from './certificate-directory.js';
export { loadServiceAccountKey } from './service-account-key.js';
