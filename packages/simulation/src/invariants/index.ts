export { builtInInvariants, type InvariantFacts } from './built-in-invariants.js';
export type { Invariant } from './invariant.js';
