import type { AuditStartOptions } from './audit-options.js';
import { usageError } from './start-error.js';

const MODES = ['batch', 'blocking', 'blocking-strict'];
const FORMATS = ['legacy', 'json'];

/** Throws a `usage` error. Upstream: apiserver `pkg/server/options/audit.go`. */
export function checkAudit(options: AuditStartOptions): void {
  const { auditPolicyFile, auditLogPath, auditLogMode = 'blocking', auditLogFormat = 'json' } = options;
  if (auditPolicyFile === undefined && auditLogPath !== undefined) {
    throw usageError('--audit-log-path needs --audit-policy-file: without a policy nothing is recorded');
  }
  if (auditPolicyFile !== undefined && auditLogPath === undefined) {
    throw usageError('--audit-policy-file needs --audit-log-path: without it events go nowhere');
  }
  if (!MODES.includes(auditLogMode)) {
    throw usageError(`--audit-log-mode ${JSON.stringify(auditLogMode)}: give one of ${MODES.join(', ')}`);
  }
  if (!FORMATS.includes(auditLogFormat)) {
    throw usageError(`--audit-log-format ${JSON.stringify(auditLogFormat)}: give one of ${FORMATS.join(', ')}`);
  }
  for (const [flag, value] of [
    ['batch-buffer-size', options.auditLogBatchBufferSize],
    ['batch-max-size', options.auditLogBatchMaxSize],
    ['batch-throttle-qps', options.auditLogBatchThrottleQps],
    ['batch-throttle-burst', options.auditLogBatchThrottleBurst],
    ['truncate-max-event-size', options.auditLogTruncateMaxEventSize],
  ] as const) {
    if (value !== undefined && !(value > 0)) throw usageError(`--audit-log-${flag} ${value}: give a positive number`);
  }
  if (options.auditLogBatchThrottleEnable !== true) return;
  const { auditLogBatchThrottleQps, auditLogBatchThrottleBurst } = options;
  if (auditLogBatchThrottleQps === undefined || auditLogBatchThrottleBurst === undefined) {
    throw usageError(
      '--audit-log-batch-throttle-enable needs --audit-log-batch-throttle-qps and --audit-log-batch-throttle-burst',
    );
  }
}
