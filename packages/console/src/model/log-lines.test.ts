import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogLines, MOST_LINES } from './log-lines.js';

test('the lines of a log are put together from pieces', () => {
  const lines = new LogLines();
  for (const piece of ['one\ntw', 'o', '\n\nthr', 'ee\n']) lines.add(piece);
  assert.equal(lines.text(), 'one\ntwo\n\nthree\n');
  assert.equal(lines.dropped, 0);
});

test('only the last ones are kept, and no endless one', () => {
  const lines = new LogLines();
  for (let line = 0; line < 3 * MOST_LINES; line += 1) lines.add(`line ${line}\n`);
  for (let piece = 0; piece < 100; piece += 1) lines.add('x'.repeat(1000));
  assert.equal(lines.text().split('\n').length, MOST_LINES);
  assert.equal(lines.dropped, 2 * MOST_LINES + 1);
  assert.equal(lines.text().split('\n').at(-1)?.length, 2000);
});
