export { dataDirectoryLayout, defaultDataDirectory } from './data-directory.js';
export type { ClientConfig, RunningBinnacle, StartOptions } from './options.js';
export { start } from './start.js';
export { StartError } from './start-error.js';
