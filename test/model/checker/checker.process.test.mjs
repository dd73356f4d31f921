import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { History } from '../history.mjs';
import { mutations } from '../mutations.mjs';
import { playRound } from '../round.mjs';
import { LocalServer } from '../servers/local-server.mjs';
import { check } from './check.mjs';

describe('the checker', { timeout: 600_000 }, () => {
  let entries = [];
  before(async () => {
    const round = { seed: 20, seconds: 5, faults: ['drop'], watchers: 12 };
    entries = (await playRound(new LocalServer({ lagMs: 30 }), round)).entries;
  });
  const checked = (list) => {
    const history = new History();
    history.entries = list;
    return check(history).violations;
  };

  it('accepts a correct history', () => {
    assert.deepEqual(checked(structuredClone(entries)), []);
  });

  for (const [name, spoil] of Object.entries(mutations)) {
    it(`detects that ${name}`, () => {
      const spoiled = structuredClone(entries);
      assert.ok(spoil(spoiled), 'the history has nothing that can be spoiled this way');
      assert.notDeepEqual(checked(spoiled), []);
    });
  }
});
