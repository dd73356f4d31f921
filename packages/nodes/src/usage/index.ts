export { type ContainerUsage, type PodUsage, podUsage, type Usage, usageSum } from './pod-usage.js';
export { resourceMetrics } from './resource-metrics.js';
export { statsSummary } from './stats-summary.js';
