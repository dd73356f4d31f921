export { Expectations, type ObservedCache } from './expectations.js';
export { type CacheSource, type OwnerContext, reconcileOwner } from './reconcile-owner.js';
export { isAtLeast } from './versions.js';
export { Writer } from './writer.js';
