export { freeAddress } from './addresses.js';
export { csiNodeOf } from './csi-node.js';
export {
  hasOtherStatus,
  hostAddress,
  type KubeletEndpoint,
  LEASE_NAMESPACE,
  leaseOf,
  nodeObject,
  nodeStatus,
  podRangeOf,
  statusPatch,
  type ProcessNode,
  type LocalNode,
} from './node-object.js';
