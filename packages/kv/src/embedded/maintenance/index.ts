export { backupStore, type BackupOptions } from './backup.js';
export type { BackupSummary } from './backup-file.js';
export { type CheckOptions, checkStore, type CheckReport } from './check.js';
export { type CompactOptions, compactStore, type CompactReport } from './compact.js';
export type { MaintenanceOptions, Progress } from './progress.js';
export { purgeStore, type PurgeOptions, type PurgeReport } from './purge.js';
export { repairStore, type RepairReport } from './repair.js';
export { restoreStore, type RestoreOptions } from './restore.js';
export { RESTORING_SUFFIX } from '../environment.js';
