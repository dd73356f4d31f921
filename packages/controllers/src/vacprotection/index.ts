export { createVacProtectionLoop } from './vac-protection-loop.js';
