export { anyFaults, faultCases, isFaultless } from './faults.js';
export { type History, type HistoryOptions, playHistories } from './play-histories.js';
