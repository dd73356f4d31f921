export { createPodCertificateRequestCleanerLoop } from './pod-certificate-request-cleaner-loop.js';
