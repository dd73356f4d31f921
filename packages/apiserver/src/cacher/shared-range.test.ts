import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SharedRange } from './shared-range.js';

it('a range is shared until an object changes, by prefix', () => {
  const state = { changes: 1, range: () => [] };
  const shared = new SharedRange(state);
  const first = shared.of('/a/');
  assert.equal(shared.of('/a/'), first);
  state.changes++;
  const second = shared.of('/a/');
  assert.notEqual(second, first);
  assert.notEqual(shared.of('/b/'), second);
});
