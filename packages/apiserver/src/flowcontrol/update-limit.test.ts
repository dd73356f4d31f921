import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UpdateLimit } from './update-limit.js';

describe('UpdateLimit', () => {
  it('admits six updates of an object within a minute', () => {
    const limit = new UpdateLimit();
    const times = [0, 1, 2, 3, 4, 5, 6, 60_000, 60_001, 60_001, 60_001];
    assert.deepEqual(
      times.map((time) => limit.admits('a', time)),
      [true, true, true, true, true, true, false, true, true, false, false],
    );
    assert.equal(limit.admits('b', 60_001), true);
    limit.retain(new Set(['b']));
    assert.equal(limit.admits('a', 60_001), true);
  });
});
