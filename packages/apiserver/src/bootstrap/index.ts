export { type EndpointOfKind, ensureObjects } from './bootstrap.js';
export { kubernetesEndpoints, kubernetesService, systemNamespaces, systemPriorityClasses } from './system-objects.js';
