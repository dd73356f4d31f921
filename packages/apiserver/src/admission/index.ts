export type { AdmissionAttributes, AdmissionPlugin, Operation } from './plugin.js';
