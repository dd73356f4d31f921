export * from './plugins/index.js';
export { type AdmissionObserver, type AdmissionRequest, AdmissionRun } from './chain.js';
export { dropDuplicateOwners } from './duplicate-owners.js';
export { type AdmissionAttributes, type AdmissionPlugin, type Operation, pluginsFor } from './plugin.js';
