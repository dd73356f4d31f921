export { applyOwned, type OwnApply } from './apply-owned.js';
export {
  createOwned,
  type EndpointOfKind,
  ensureObjects,
  type OwnResource,
  SERVER_MANAGER,
  serverScope,
} from './bootstrap.js';
export { correctEndpoints, correctSlice, kubernetesEndpoints, sliceTypeOf } from './kubernetes-endpoints.js';
export {
  kubernetesService,
  systemNamespaces,
  systemPriorityClasses,
  tokenTracking,
} from './system-objects.js';
export { type OwnUpdate, updateOwned } from './update-owned.js';
export { addTrustedClients, type TrustedClients, trustedClients } from './trusted-clients.js';
