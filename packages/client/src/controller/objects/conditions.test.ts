import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../../testing/index.js';
import { type Condition, findCondition, isConditionTrue, withCondition } from '../index.js';

describe('conditions', () => {
  const clock = new VirtualClock(Date.UTC(2030, 0, 2, 3, 4, 5, 678));
  const ready = { type: 'Ready', status: 'True', reason: 'SailSet', message: 'the sail is set' } as const;

  it('change lastTransitionTime only with their status', async () => {
    const first = withCondition(undefined, ready, clock);
    assert.deepEqual(first, [{ ...ready, lastTransitionTime: '2030-01-02T03:04:05Z' }]);
    await clock.advance(60_000);
    const reworded = withCondition(first, { ...ready, reason: 'SailTrimmed' }, clock);
    assert.equal(findCondition(reworded, 'Ready')?.lastTransitionTime, '2030-01-02T03:04:05Z');
    assert.equal(findCondition(reworded, 'Ready')?.reason, 'SailTrimmed');
    const changed = withCondition(reworded, { ...ready, status: 'False' }, clock);
    assert.equal(findCondition(changed, 'Ready')?.lastTransitionTime, '2030-01-02T03:05:05Z');
    assert.deepEqual([isConditionTrue(first, 'Ready'), isConditionTrue(changed, 'Ready')], [true, false]);
    assert.equal(isConditionTrue(undefined, 'Ready'), false);
  });

  it('are the same list if nothing changes', async () => {
    const first = withCondition([], { ...ready, observedGeneration: 3 }, clock);
    await clock.advance(1000);
    assert.equal(withCondition(first, { ...ready, observedGeneration: 3 }, clock), first);
    for (const other of [
      { message: 'm' },
      { reason: 'R' },
      { observedGeneration: 4 },
      { status: 'Unknown' },
    ] as const) {
      assert.notEqual(withCondition(first, { ...ready, observedGeneration: 3, ...other }, clock), first);
    }
  });

  it('keep conditions of other types in place', () => {
    const others: Condition[] = ['A', 'B'].map((type) => ({ ...ready, type, lastTransitionTime: 'then' }));
    const all = withCondition(withCondition(others, ready, clock), { ...ready, type: 'A', status: 'False' }, clock);
    assert.deepEqual(
      all.map(({ type, status }) => `${type} ${status}`),
      ['A False', 'B True', 'Ready True'],
    );
    assert.equal(others.length, 2);
  });
});
