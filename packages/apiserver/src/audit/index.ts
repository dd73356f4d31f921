export { auditMetrics } from '../metrics/index.js';
export { auditFilters, type AuditOptions } from './audit-filters.js';
export { AuditEvent } from './event.js';
export type { LogFormat } from './line.js';
export type { LineTarget } from './log-sink.js';
export {
  type AuditBackendOptions,
  type AuditLog,
  type AuditSettings,
  type AuditMode,
  type AuditWebhook,
  openAuditSink,
} from './open-audit.js';
export type { AuditPolicy } from './policy.js';
export { RotatingFile, type RotatingFileOptions } from './rotating-file.js';
export type { AuditSink } from './sink.js';
