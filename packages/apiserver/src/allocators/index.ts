export type { AllocationObserver, AllocationScope, AllocationUsage, RangeUsage } from './allocation-observer.js';
export { type ServiceAllocator, serviceAllocator, type ServiceAllocatorOptions } from './service-allocator.js';
export { defaultServiceCidr, firstAddress, markServiceCidrReady } from './service-cidr.js';
