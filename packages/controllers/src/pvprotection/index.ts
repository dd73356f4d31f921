export { createPvProtectionLoop } from './pv-protection-loop.js';
