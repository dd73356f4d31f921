export { createRootCertificateLoop } from './root-certificate-loop.js';
export { createServiceAccountLoop } from './service-account-loop.js';
