import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NO_RESULT, nextProbeState } from './probe-state.js';

/** The verdict after each result: `+`, `-`, or `?` for none. */
function verdicts(results: string, probe: { failureThreshold?: number; successThreshold?: number }): string {
  let state = NO_RESULT;
  return results
    .split('')
    .map((result) => {
      state = nextProbeState(state, result === '+', probe);
      return state.isHealthy === undefined ? '?' : state.isHealthy ? '+' : '-';
    })
    .join('');
}

const cases: [string, string, { failureThreshold?: number; successThreshold?: number }][] = [
  ['+', '+', {}],
  ['---', '??-', {}],
  ['+--+---', '++++++-', {}],
  ['-+', '-+', { failureThreshold: 1 }],
  ['++-++', '?++++', { successThreshold: 2 }],
  ['+-+-', '????', { successThreshold: 2, failureThreshold: 2 }],
];
for (const [results, expected, probe] of cases) {
  it(`${results} is ${expected} with ${JSON.stringify(probe)}`, () => assert.equal(verdicts(results, probe), expected));
}
