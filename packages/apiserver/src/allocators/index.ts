export { type ServiceAllocator, serviceAllocator, type ServiceAllocatorOptions } from './service-allocator.js';
export { defaultServiceCidr, firstAddress, markServiceCidrReady } from './service-cidr.js';
