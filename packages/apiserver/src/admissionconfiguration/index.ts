export type { AdmissionConfiguration, ConfigurationFiles } from './configuration.js';
export { readAdmissionConfiguration } from './read-configuration.js';
