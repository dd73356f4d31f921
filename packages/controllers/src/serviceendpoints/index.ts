export type { AddressSet } from './address-set.js';
export { type AddressType, addressTypeOf } from './address-type.js';
export { endpointKey, isSameEndpoint } from './endpoint-identity.js';
export { subsetText } from './go-text.js';
export { HEADLESS, isSameStrings, LEADER, type Strings } from './labels.js';
export { lateRetries } from './late-retries.js';
export {
  changesEndpoints,
  hasAddress,
  hasOwnEndpoints,
  hasSelector,
  hostnameIn,
  isHeadless,
} from './membership.js';
export { orderSlicePorts, portsKey } from './order.js';
export { packSubsets } from './pack-subsets.js';
export { type PodTargets, podTargets } from './pod-targets.js';
export { repackSubsets } from './repack-subsets.js';
export { podIndexes, podsOf, serviceIndexes, servicesOf } from './selection.js';
export { slicesByPorts } from './slices-by-ports.js';
export { MANAGED_BY, SERVICE_NAME, serviceOfSlice, sliceIndexes, slicesOf } from './slices.js';
export { TriggerTimes, withTriggerTime } from './trigger-time.js';
