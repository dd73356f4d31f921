import { type AuditOptions, openAuditSink } from '../../audit/index.js';
import { auditMetrics } from '../../metrics/index.js';
import type { ServerConfig } from '../config.js';
import type { RemoteServices } from '../remote-services.js';

/** Opens the audit log and webhook of the configuration; undefined if nothing is recorded. The caller closes the sink. */
export function openServerAudit(config: ServerConfig, remoteServices: RemoteServices): AuditOptions | undefined {
  const { audit, clock, report, metrics: registry } = config;
  if (audit === undefined) return undefined;
  const metrics = auditMetrics(registry);
  const sink = openAuditSink(audit, {
    clock,
    metrics,
    openService: ({ service, backoffMs }) => remoteServices.open(service, { backoffMs, afterAnyFailure: true }),
    report: (error) => report(error, 'audit events are lost'),
  });
  return { policy: audit.policy, sink, metrics };
}
