export { createCsrCleanerLoop } from './csr-cleaner-loop.js';
