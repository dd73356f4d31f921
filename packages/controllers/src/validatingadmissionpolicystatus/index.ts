export { createPolicyStatusLoop } from './policy-status-loop.js';
