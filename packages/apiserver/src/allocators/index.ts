export { type ServiceAllocator, serviceAllocator, type ServiceAllocatorOptions } from './service-allocator.js';
export { defaultServiceCidr, firstAddress } from './service-cidr.js';
