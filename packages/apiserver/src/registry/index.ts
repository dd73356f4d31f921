export { checkDeletePreconditions } from './deletion.js';
export { statusErrorOf } from './errors.js';
export type { ListAnswer, ListObserver, ListRequest } from './list.js';
export { preconditionFailed } from './precondition.js';
export { ResourceReader } from './reader.js';
export { collectionPrefix, objectKey, type ResourceInfo } from './resource-info.js';
export type { Requester } from './requester.js';
export { type DeleteResult, ResourceStore, type ResourceStoreOptions, type UpdateResult } from './resource-store.js';
export {
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
