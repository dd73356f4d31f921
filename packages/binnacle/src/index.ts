export {
  type ClientConfig,
  defaultDataDirectory,
  type RunningBinnacle,
  start,
  StartError,
  type StartErrorCode,
  type StartOptions,
} from './embed/index.js';
