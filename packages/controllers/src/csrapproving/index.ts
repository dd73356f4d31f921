export { createCsrApprovingLoop } from './csr-approving-loop.js';
