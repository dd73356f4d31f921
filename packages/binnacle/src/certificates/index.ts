export { type CertificateSet, completeCertificateSet, frontProxyName, kubeletClientName } from './certificate-set.js';
export { loadCertificates } from './certificate-directory.js';
export { loadServiceAccountKey } from './service-account-key.js';
