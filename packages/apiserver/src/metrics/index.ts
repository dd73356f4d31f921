export { observedAuthenticate, observedAuthorizer } from './access-metrics.js';
export { admissionSteps, observedPlugins } from './admission-metrics.js';
export { AuthorizationMetrics } from './authorization-metrics.js';
export { type CertificateMetrics, certificateMetrics } from './certificate-metrics.js';
export { impersonationMetrics } from './impersonation-metrics.js';
export { serviceAccountTokenMetrics } from './service-account-token-metrics.js';
export { tokenCacheMetrics, tokenMetrics } from './token-metrics.js';
export { type AuditMetrics, auditMetrics } from './audit-metrics.js';
export { type MetricsEndpoint, metricsEndpoint, type MetricsEndpointOptions } from './endpoint.js';
export { allocationMetrics, readAllocations } from './allocation-metrics.js';
export type { ConcurrencyLimits } from './concurrency.js';
export { flowObservers, readFlowControl } from './flow-control-metrics.js';
export type { ConversionFailure, ConversionObserver } from './conversion-metrics.js';
export { filterTimes } from './filter-metrics.js';
export { healthMetrics } from './health-metrics.js';
export { readMemory } from './memory-metrics.js';
export {
  type CountedRequest,
  type RequestMetrics,
  requestMetrics,
  type RequestMetricsOptions,
} from './request-metrics.js';
export { countedVerb, scopeOf } from './request-labels.js';
export { ResourceMetrics } from './resource-metrics.js';
export { type ObservedStorage, readStorages, type StorageReadingsOptions } from './storage-readings.js';
export { aggregationMetrics } from './aggregation-metrics.js';
export { podSecurityMetrics } from './pod-security-metrics.js';
export { policyMetrics } from './policy-metrics.js';
export { webhookMetrics } from './webhook-metrics.js';
