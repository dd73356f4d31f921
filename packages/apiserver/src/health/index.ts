export {
  type HealthCheck,
  type HealthRoot,
  informerSyncCheck,
  logCheck,
  pingCheck,
  shutdownCheck,
  storageReadinessCheck,
  storeCheck,
  storeReadinessCheck,
} from './check.js';
export { changeOfHealth } from './change-of-health.js';
export { createHealth, type Health, type HealthOptions } from './health.js';
