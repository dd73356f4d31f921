export { freeAddress, podRange } from './addresses.js';
export {
  hasOtherConditions,
  hostAddress,
  type KubeletEndpoint,
  LEASE_NAMESPACE,
  leaseOf,
  nodeObject,
  nodeStatus,
  type SimulatedNode,
} from './node-object.js';
