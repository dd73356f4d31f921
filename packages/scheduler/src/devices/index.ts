export { type AllocatedDevices, allocatedDevices } from './allocated-devices.js';
export { Allocator, type AllocatorOptions } from './allocator.js';
