export { freeAddress } from './addresses.js';
export {
  hasOtherConditions,
  hostAddress,
  type KubeletEndpoint,
  LEASE_NAMESPACE,
  leaseOf,
  nodeObject,
  nodeStatus,
  podRangeOf,
  type ProcessNode,
  type LocalNode,
} from './node-object.js';
