export type { OpenTracing, StartTracing } from './collector/index.js';
export { tracing } from './tracing-filter.js';
