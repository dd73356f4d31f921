export { createCsrSigningLoop } from './csr-signing-loop.js';
