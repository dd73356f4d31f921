import type { AuditBackend, AuditStartOptions } from './audit-options.js';
import { usageError } from '../start-error.js';

const MODES = ['batch', 'blocking', 'blocking-strict'];
const FORMATS = ['legacy', 'json'];

/** Throws a `usage` error. Upstream: apiserver `pkg/server/options/audit.go`. */
export function checkAudit(options: AuditStartOptions): void {
  const { auditPolicyFile, auditLogPath, auditWebhookConfigFile, auditLogFormat = 'json' } = options;
  const isStored = auditLogPath !== undefined || auditWebhookConfigFile !== undefined;
  if (auditPolicyFile === undefined && isStored) {
    const flag = auditLogPath === undefined ? '--audit-webhook-config-file' : '--audit-log-path';
    throw usageError(`${flag} needs --audit-policy-file: without a policy nothing is recorded`);
  }
  if (auditPolicyFile !== undefined && !isStored) {
    throw usageError('--audit-policy-file needs --audit-log-path or --audit-webhook-config-file: events go nowhere');
  }
  if (!FORMATS.includes(auditLogFormat)) {
    throw usageError(`--audit-log-format ${JSON.stringify(auditLogFormat)}: give one of ${FORMATS.join(', ')}`);
  }
  const { auditWebhookInitialBackoffMs: backoff } = options;
  if (backoff !== undefined && !(backoff > 0)) throw usageError('--audit-webhook-initial-backoff must be positive');
  checkBackend('Log', options);
  checkBackend('Webhook', options);
}

function checkBackend(backend: AuditBackend, options: AuditStartOptions): void {
  const flag = `--audit-${backend.toLowerCase()}`;
  const mode = options[`audit${backend}Mode`];
  if (mode !== undefined && !MODES.includes(mode)) {
    throw usageError(`${flag}-mode ${JSON.stringify(mode)}: give one of ${MODES.join(', ')}`);
  }
  const qps = options[`audit${backend}BatchThrottleQps`];
  const burst = options[`audit${backend}BatchThrottleBurst`];
  for (const [name, value] of [
    ['batch-buffer-size', options[`audit${backend}BatchBufferSize`]],
    ['batch-max-size', options[`audit${backend}BatchMaxSize`]],
    ['batch-throttle-qps', qps],
    ['batch-throttle-burst', burst],
    ['truncate-max-event-size', options[`audit${backend}TruncateMaxEventSize`]],
  ] as const) {
    if (value !== undefined && !(value > 0)) throw usageError(`${flag}-${name} ${value}: give a positive number`);
  }
  // The webhook has defaults for both.
  if (backend === 'Webhook' || options.auditLogBatchThrottleEnable !== true) return;
  if (qps === undefined || burst === undefined) {
    throw usageError(`${flag}-batch-throttle-enable needs ${flag}-batch-throttle-qps and ${flag}-batch-throttle-burst`);
  }
}
