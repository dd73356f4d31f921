export { freeAddress, nodeAddress, podRange } from './addresses.js';
export {
  hasOtherConditions,
  LEASE_NAMESPACE,
  leaseOf,
  nodeObject,
  nodeStatus,
  type SimulatedNode,
} from './node-object.js';
