export * from './plugins/index.js';
export { type AdmissionObserver, type AdmissionRequest, AdmissionRun } from './chain.js';
export type { AdmissionAttributes, AdmissionPlugin, Operation } from './plugin.js';
