export {
  createOwned,
  type EndpointOfKind,
  ensureObjects,
  type OwnResource,
  SERVER_MANAGER,
  serverScope,
} from './bootstrap.js';
export { kubernetesEndpoints, kubernetesService, systemNamespaces, systemPriorityClasses } from './system-objects.js';
