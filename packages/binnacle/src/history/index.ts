export type { HistoryParts } from './parts.js';
export { runHistory } from './run.js';
