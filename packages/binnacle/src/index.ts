export {
  type ClientConfig,
  defaultDataDirectory,
  type RunningBinnacle,
  start,
  StartError,
  type StartOptions,
} from './embed/index.js';
