export { claimObjects } from './claim-objects.js';
export { claimable, controlledBy, controllerIndexes, siblingsOf } from './controller-index.js';
export { controllerReference } from './controller-reference.js';
export { orphanRequests } from './orphan-requests.js';
