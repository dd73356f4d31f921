export { createRootCertificateLoop, createServiceAccountLoop } from './namespace-defaults.js';
