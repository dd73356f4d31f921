export { type ClusterTrust, type FrontProxies, readClusterTrust } from './cluster-trust.js';
export {
  type DelegatedAttributes,
  type DelegatedDecision,
  type DelegatedUser,
  type Delegation,
  delegateTo,
} from './delegation.js';
