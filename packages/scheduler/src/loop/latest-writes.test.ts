import assert from 'node:assert/strict';
import { setImmediate as loop } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { LatestWrites } from './latest-writes.js';

type Change = Readonly<Record<string, string>>;

function writes() {
  const written: Change[] = [];
  const underWay: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const latest = new LatestWrites<Change>((earlier, later) => ({ ...earlier, ...later }));
  const change = (key: string, fields: Change) =>
    latest.write(key, fields, (merged) => {
      written.push(merged);
      return new Promise((resolve, reject) => underWay.push({ resolve, reject }));
    });
  return { written, underWay, change };
}

describe('latest writes', () => {
  it('write one at a time for each key, and merge what comes meanwhile', async () => {
    const { written, underWay, change } = writes();
    const first = change('a', { message: '1' });
    for (let count = 2; count <= 100; count++) await change('a', { message: String(count) });
    await change('a', { node: 'n' });
    const other = change('b', { message: 'x' });
    assert.deepEqual(written, [{ message: '1' }, { message: 'x' }]);
    underWay.shift()?.resolve();
    await loop();
    assert.deepEqual(written.at(-1), { message: '100', node: 'n' });
    for (const { resolve } of underWay) resolve();
    await Promise.all([first, other]);
    const again = change('a', { message: '101' });
    assert.equal(written.length, 4);
    underWay.at(-1)?.resolve();
    await again;
  });

  it('go on after an error, and reject with it', async () => {
    const { written, underWay, change } = writes();
    const first = change('a', { message: '1' });
    await change('a', { message: '2' });
    underWay.shift()?.reject(new Error('no'));
    await loop();
    assert.deepEqual(written.at(-1), { message: '2' });
    underWay.shift()?.resolve();
    await assert.rejects(first, /^Error: no$/);
  });
});
