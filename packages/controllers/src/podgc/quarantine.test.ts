import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Quarantine } from './quarantine.js';

describe('the quarantine', () => {
  it('is over after 40 seconds, and begins again', () => {
    const quarantine = new Quarantine();
    const rounds = [0, 20_000, 40_000, 60_000, 80_000, 100_000].map((now) => quarantine.due(['gone'], now));
    assert.deepEqual(rounds, [[], [], ['gone'], [], [], ['gone']]);
  });

  it('ends when the node is back', () => {
    const quarantine = new Quarantine();
    assert.deepEqual(
      [quarantine.due(['n'], 0), quarantine.due([], 20_000), quarantine.due(['n'], 40_000)],
      [[], [], []],
    );
  });
});
