export { createServiceAccountTokenLoop } from './service-account-token-loop.js';
