export { type HistoryParts, runHistory } from './run.js';
