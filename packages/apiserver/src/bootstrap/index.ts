export { createOwned, type EndpointOfKind, ensureObjects, serverScope } from './bootstrap.js';
export { kubernetesEndpoints, kubernetesService, systemNamespaces, systemPriorityClasses } from './system-objects.js';
