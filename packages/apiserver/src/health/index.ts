export {
  type HealthCheck,
  type HealthRoot,
  informerSyncCheck,
  logCheck,
  pingCheck,
  shutdownCheck,
  storageReadinessCheck,
  storeCheck,
} from './check.js';
export { createHealth, type Health, type HealthOptions } from './health.js';
