export { Faults } from './faults.js';
export { readRule } from './read-rule.js';
export type { Fault, FaultAction, FaultMatch, FaultRule, Wanted, WatchEnding } from './rule.js';
