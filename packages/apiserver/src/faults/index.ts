export { Faults } from './faults.js';
export type { Fault, FaultAction, FaultMatch, FaultRule, Wanted, WatchEnding } from './rule.js';
