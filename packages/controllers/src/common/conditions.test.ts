import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCondition, withCondition, withoutCondition } from './conditions.js';

const condition = (type: string, status: string, reason: string, lastTransitionTime: string) => ({
  type,
  status,
  reason,
  lastTransitionTime,
});

const present = [condition('Ready', 'True', 'Fine', 'long ago'), condition('Full', 'False', 'Room', 'long ago')];

describe('conditions', () => {
  it('stay the same list if status and reason do', () => {
    assert.equal(withCondition(present, condition('Ready', 'True', 'Fine', 'now')), present);
  });

  it('keep the time of a status that has another reason, and move to the end', () => {
    const changed = withCondition(present, condition('Ready', 'True', 'Better', 'now'));
    assert.deepEqual(changed, [present[1], condition('Ready', 'True', 'Better', 'long ago')]);
  });

  it('get the new time with another status', () => {
    const changed = withCondition(present, condition('Full', 'True', 'Room', 'now'));
    assert.deepEqual(changed, [present[0], condition('Full', 'True', 'Room', 'now')]);
  });

  it('may be the first of an object', () => {
    const first = condition('Ready', 'True', 'Fine', 'now');
    assert.deepEqual(withCondition(undefined, first), [first]);
  });

  it('are found and removed by type', () => {
    assert.equal(findCondition(present, 'Full'), present[1]);
    assert.equal(findCondition(undefined, 'Full'), undefined);
    assert.deepEqual(withoutCondition(present, 'Full'), [present[0]]);
    assert.equal(withoutCondition(present, 'Other'), present);
    assert.deepEqual(withoutCondition(undefined, 'Other'), []);
  });
});
