export { type BootCheckOptions, bootChecks } from './boot-checks.js';
export {
  autoRegistrationCheck,
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
export { healthChangeReporter } from './health-change-reporter.js';
export { createHealth, type Health, type HealthOptions } from './health.js';
