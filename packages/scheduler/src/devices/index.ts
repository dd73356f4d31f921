export { type AllocatedDevices, allocatedDevices } from './allocated-devices.js';
export { hasBindingConditions, LONGEST_PREPARATION, type Readiness, readinessOf } from './binding-conditions.js';
export { alternativesOf } from './requested-devices.js';
export { Allocator, type AllocatorOptions } from './allocator.js';
