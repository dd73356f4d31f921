export { createPvcProtectionLoop } from './pvc-protection-loop.js';
