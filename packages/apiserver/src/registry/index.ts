export { checkDeletePreconditions } from './deletion.js';
export { statusErrorOf } from './errors.js';
export type { HistoryTarget } from './history.js';
export type { ListAnswer, ListObserver, ListRequest } from './list.js';
export { preconditionFailed } from './precondition.js';
export {
  CSI_DRIVERS,
  ENDPOINT_SLICES,
  ENDPOINTS,
  INGRESS_CLASSES,
  IP_ADDRESSES,
  LIMIT_RANGES,
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  MUTATING_WEBHOOK_CONFIGURATIONS,
  NAMESPACES,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  POD_DISRUPTION_BUDGETS,
  PODS,
  PRIORITY_CLASSES,
  RESOURCE_QUOTAS,
  RESOURCE_SLICES,
  RUNTIME_CLASSES,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICE_CIDRS,
  SERVICES,
  STORAGE_CLASSES,
  VOLUME_ATTACHMENTS,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
} from './built-in-kinds.js';
export { KindReader, type ObjectOf } from './kind-reader.js';
export { ResourceReader } from './reader.js';
export { type ResourceOf, Stores } from './stores.js';
export { objectKey, type ResourceInfo } from './resource-info.js';
export type { Requester } from './requester.js';
export { type DeleteResult, ResourceStore, type ResourceStoreOptions, type UpdateResult } from './resource-store.js';
export {
  type GuardedWrite,
  type AdmissionChain,
  type Allocator,
  type Claim,
  type DeleteOptions,
  noAdmission,
  type Preconditions,
  type UpdateRequest,
  type WriteGuard,
  type WriteScope,
} from './scope.js';
export type { Strategy, StrategyContext, Validation } from './strategy.js';
