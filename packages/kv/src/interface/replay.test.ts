import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pausesReplay } from './replay.js';

it('a replay waits while many events wait, or many bytes', () => {
  assert.equal(pausesReplay(255, 256 * 1024 - 1), false);
  assert.equal(pausesReplay(256, 0), true);
  assert.equal(pausesReplay(1, 256 * 1024), true);
});
