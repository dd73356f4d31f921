import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentModes } from './recent-modes.js';

const read = (modes: RecentModes<string>) => ['a', 'b', 'c'].map((user) => modes.get(user));

test('keeps the last mode of the users that were set last', () => {
  const modes = new RecentModes<string>(2);
  modes.set('a', 'x');
  modes.set('b', 'y');
  modes.set('a', 'z');
  modes.set('c', 'x');
  assert.deepEqual(read(modes), ['z', undefined, 'x']);
});

test('keeps the users that were read last', () => {
  const modes = new RecentModes<string>(2);
  modes.set('a', 'x');
  modes.set('b', 'y');
  assert.equal(modes.get('a'), 'x');
  modes.set('c', 'z');
  assert.deepEqual(read(modes), ['x', undefined, 'z']);
});
