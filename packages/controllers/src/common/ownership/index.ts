export { type Claims, claimsOf } from './claims.js';
export { claimObjects, type ClaimOptions } from './claim-objects.js';
export { claimable, controlledBy, controllerIndexes, orphansIn, siblingsOf } from './controller-index.js';
export { controllerReference } from './controller-reference.js';
export { orphanRequests } from './orphan-requests.js';
