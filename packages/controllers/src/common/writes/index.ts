export { Expectations, type ObservedCache } from './expectations.js';
export { isShown, LatestObjects } from './latest-objects.js';
export { type CacheSource, type OwnerContext, reconcileOwner } from './reconcile-owner.js';
export { Writer } from './writer.js';
