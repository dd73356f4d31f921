import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LimitedLines } from './limited-lines.js';
import { VirtualClock } from './virtual-clock.js';

describe('limited lines', () => {
  function open(): { clock: VirtualClock; lines: LimitedLines; written: string[] } {
    const clock = new VirtualClock();
    const written: string[] = [];
    return { clock, lines: new LimitedLines(clock, (text) => written.push(text)), written };
  }

  it('writes a thousand at once, then ten a second, and counts what it drops', () => {
    const { clock, lines, written } = open();
    for (let count = 0; count < 5000; count++) lines.write('x');
    assert.equal(written.length, 1000);
    clock.skip(1000);
    for (let count = 0; count < 5000; count++) lines.write('y');
    assert.deepEqual(written.slice(1000, 1002), [
      '4000 lines were dropped: the log is limited to 10 a second\ny\n',
      'y\n',
    ]);
    assert.equal(written.length, 1010);
    clock.skip(3_600_000);
    for (let count = 0; count < 5000; count++) lines.write('z');
    assert.equal(written.length, 2010);
  });

  it('cuts long lines', () => {
    const { lines, written } = open();
    lines.write('x'.repeat(1_000_000));
    assert.equal(written[0]?.length, 4 * 1024 + '...\n'.length);
  });
});
