import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DRIVER, resourceClaim } from '../testing/index.js';
import { LONGEST_PREPARATION, readinessOf } from './index.js';

const allocationTimestamp = '2027-01-04T00:00:00Z';
const start = Date.parse(allocationTimestamp);
const device = { driver: DRIVER, pool: 'n', device: 'd' };
const failed = 'device binding failed: claim=c, reason=why, message="so"';

describe('the devices of a claim', () => {
  for (const [what, conditions, later, expected] of [
    ['not reported', undefined, 0, 'waiting'],
    ['not prepared', { type: 'Ready', status: 'False' }, 0, 'waiting'],
    ['prepared', { type: 'Ready', status: 'True' }, 0, 'ready'],
    ['prepared late', { type: 'Ready', status: 'True' }, LONGEST_PREPARATION + 1, 'ready'],
    ['broken', { type: 'Bad', status: 'True' }, 0, failed],
    ['never prepared', undefined, LONGEST_PREPARATION + 1, 'device binding timeout: claim=c'],
  ] as const) {
    it(what, () => {
      const condition = { reason: 'why', message: 'so', lastTransitionTime: allocationTimestamp };
      const claim = resourceClaim('c', undefined, {
        allocation: {
          allocationTimestamp,
          devices: {
            results: [{ ...device, request: 'r', bindingConditions: ['Ready'], bindingFailureConditions: ['Bad'] }],
          },
        },
        ...(conditions && { devices: [{ ...device, conditions: [{ ...condition, ...conditions }] }] }),
      });
      const found = readinessOf(claim, start + later);
      assert.equal(typeof found === 'string' ? found : found.problem, expected);
    });
  }
});
