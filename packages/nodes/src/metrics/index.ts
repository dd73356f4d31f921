export type { MetricsSource } from './metrics-answer.js';
export { METRICS_HOST, registerMetrics, unregisterMetrics } from './register-metrics.js';
export { type MetricsServer, serveMetrics } from './serve-metrics.js';
