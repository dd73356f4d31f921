export { createBootstrapSignerLoop } from './bootstrap-signer-loop.js';
