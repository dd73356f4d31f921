import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ProgressLine } from './progress-line.js';

function show(isTTY: boolean, times: readonly number[]): string {
  let now = 0;
  let text = '';
  const line = new ProgressLine({ isTTY, write: (piece) => (text += piece) }, () => now);
  for (const [index, time] of times.entries()) {
    now = time;
    line.update('backup', index, 4);
  }
  line.end();
  return text;
}

it('overwrites one line on a terminal, and clears it at the end', () => {
  assert.equal(
    show(true, [10, 100, 150, 210]),
    '\r\u001b[Kbackup: 1 of 4 (25 %)\r\u001b[Kbackup: 3 of 4 (75 %)\r\u001b[K',
  );
});

it('prints a line every few seconds without a terminal, and nothing for quick steps', () => {
  assert.equal(show(false, [10, 4000, 5000, 9000]), 'backup: 2 of 4 (50 %)\n');
  assert.equal(show(false, [10, 100]), '');
  assert.equal(show(true, [10, 99]), '');
});
