export * from './plugins/index.js';
export { type AdmissionObserver, type AdmissionRequest, AdmissionRun } from './chain.js';
export { type AdmissionAttributes, type AdmissionPlugin, type Operation, pluginsFor } from './plugin.js';
