export { createResourceClaimLoop } from './resource-claim-loop.js';
