export { readTracingConfiguration, type TracingConfiguration } from './configuration.js';
export { openTracing, type OpenTracing } from './open-tracing.js';
export { tracing } from './tracing-filter.js';
