export {
  createOwned,
  type EndpointOfKind,
  ensureObjects,
  type OwnResource,
  SERVER_MANAGER,
  serverScope,
} from './bootstrap.js';
export {
  kubernetesEndpoints,
  kubernetesService,
  systemNamespaces,
  systemPriorityClasses,
  tokenTracking,
} from './system-objects.js';
export { addTrustedClients, trustedClients } from './trusted-clients.js';
