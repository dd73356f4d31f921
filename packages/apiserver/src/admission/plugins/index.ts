export { defaultTolerationSeconds } from './default-toleration-seconds.js';
export { type NamespaceSource, namespaceLifecycle } from './namespace-lifecycle.js';
export { type PriorityClassSource, priority } from './priority.js';
export { type ServiceAccountSource, serviceAccount } from './service-account.js';
export { storageObjectInUseProtection } from './storage-object-in-use-protection.js';
export { taintNodesByCondition } from './taint-nodes-by-condition.js';
