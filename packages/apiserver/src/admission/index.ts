export {
  defaultTolerationSeconds,
  type NamespaceSource,
  namespaceLifecycle,
  type PriorityClassSource,
  priority,
  type ServiceAccountSource,
  serviceAccount,
  storageObjectInUseProtection,
  taintNodesByCondition,
} from './plugins/index.js';
export { type AdmissionRequest, AdmissionRun } from './chain.js';
export type { AdmissionAttributes, AdmissionPlugin, Operation } from './plugin.js';
