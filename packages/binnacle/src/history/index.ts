export { ForksClient } from './forks-client.js';
export { HistoryClient } from './history-client.js';
export type { HistoryParts } from './parts.js';
export { runHistory } from './run.js';
export { startFork } from './run-forks.js';
