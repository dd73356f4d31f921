export { readTracingConfiguration, type TracingConfiguration } from './configuration.js';
export { openTracing, type OpenTracing, type StartTracing } from './open-tracing.js';
