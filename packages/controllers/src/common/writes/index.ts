export { Expectations, type ObservedCache } from './expectations.js';
export { type CacheSource, type OwnerContext, type OwnerOptions, reconcileOwner } from './reconcile-owner.js';
export { isAtLeast } from './versions.js';
export { Writer, type WriterOptions } from './writer.js';
