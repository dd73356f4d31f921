import type { Invariant } from './invariant.js';

export type { Invariant } from './invariant.js';

/** New invariants for one run. */
export function builtInInvariants(): Invariant[] {
  return [];
}
