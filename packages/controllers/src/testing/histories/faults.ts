import * as fc from 'fast-check';
import type { SimulationFaults } from '../simulation/index.js';

const share = fc.constantFrom(0, 0.2);

export const anyFaults: fc.Arbitrary<SimulationFaults> = fc.record({
  watchDelay: fc.constantFrom(0, 5000),
  brokenWatches: share,
  expiredWatches: share,
  conflicts: share,
  failedWrites: share,
  lostAnswers: share,
  restartAfterWrites: fc.boolean(),
});

/** Faults with which each loop must reach its goal, and how a title names them. */
export const faultCases: readonly (readonly [string, SimulationFaults])[] = [
  ['without faults', {}],
  ['with caches that are five seconds stale', { watchDelay: 5000 }],
  ['with a restart after each write', { restartAfterWrites: true }],
  [
    'with conflicts, failures and lost watches',
    { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.3, brokenWatches: 0.2, expiredWatches: 0.2 },
  ],
];

/** Whether no request can fail, so that a test can count the requests. */
export function isFaultless({ conflicts = 0, failedWrites = 0, lostAnswers = 0 }: SimulationFaults): boolean {
  return conflicts === 0 && failedWrites === 0 && lostAnswers === 0;
}
