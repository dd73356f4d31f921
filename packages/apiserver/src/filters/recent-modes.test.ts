import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentModes } from './recent-modes.js';

test('keeps the last mode of the most recent users', () => {
  const modes = new RecentModes<string>(2);
  modes.set('a', 'x');
  modes.set('b', 'y');
  modes.set('a', 'z');
  assert.deepEqual(
    ['a', 'b', 'c'].map((user) => modes.get(user)),
    ['z', 'y', undefined],
  );
  modes.set('c', 'x');
  assert.deepEqual(
    ['a', 'b', 'c'].map((user) => modes.get(user)),
    ['z', undefined, 'x'],
  );
});
