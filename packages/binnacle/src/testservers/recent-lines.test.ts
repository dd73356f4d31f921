import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RecentLines } from './recent-lines.js';

it('keeps the last lines', () => {
  const log = new RecentLines(2);
  assert.deepEqual(log.list(), []);
  const seen: string[] = [];
  for (const line of ['a\n', 'b', 'c\n', 'd', 'e']) {
    log.add(line);
    seen.push(log.list().join(''));
  }
  assert.deepEqual(seen, ['a', 'ab', 'bc', 'cd', 'de']);
});
