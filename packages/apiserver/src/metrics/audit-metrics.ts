import { counterFacts, type MetricRegistry } from '@binnacle/apimachinery/metrics';

/** Upstream: apiserver `pkg/audit/metrics.go`, release 1.36. */
export const auditFacts = {
  events: counterFacts(
    'apiserver_audit_event_total',
    'ALPHA',
    [],
    'Counter of audit events generated and sent to the audit backend.',
  ),
  errors: counterFacts(
    'apiserver_audit_error_total',
    'ALPHA',
    ['plugin'],
    'Counter of audit events that failed to be audited properly. Plugin identifies the plugin affected by the error.',
  ),
  rejected: counterFacts(
    'apiserver_audit_requests_rejected_total',
    'ALPHA',
    [],
    'Counter of apiserver requests rejected due to an error in audit logging backend.',
  ),
  levels: counterFacts(
    'apiserver_audit_level_total',
    'ALPHA',
    ['level'],
    'Counter of policy levels for audit events (1 per request).',
  ),
};

export type AuditMetrics = ReturnType<typeof auditMetrics>;

/** The counters of audit. */
export function auditMetrics(registry: MetricRegistry) {
  return {
    events: registry.numbers(auditFacts.events).with(),
    rejected: registry.numbers(auditFacts.rejected).with(),
    levels: registry.numbers(auditFacts.levels),
    errors: registry.numbers(auditFacts.errors),
  };
}
