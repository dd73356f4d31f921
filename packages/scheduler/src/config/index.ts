export { defaultConfiguration, makeProfiles, type OwnPlugins, type SchedulerConfiguration } from './make-profiles.js';
export { type ReadConfiguration, type ReadOptions, readSchedulerConfiguration } from './read-configuration.js';
