import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podFacts } from '../testing/index.js';
import { schedulingGates } from './index.js';

describe('SchedulingGates', () => {
  it('keeps a pod with gates out of the queue', () => {
    const gated = podFacts('p', { spec: { schedulingGates: [{ name: 'a' }, { name: 'b' }] } });
    assert.equal(schedulingGates.preEnqueue?.(podFacts('q')).code, 'Success');
    assert.deepEqual(schedulingGates.preEnqueue?.(gated), {
      code: 'UnschedulableAndUnresolvable',
      reasons: ['waiting for scheduling gates: [a b]'],
    });
  });
});
