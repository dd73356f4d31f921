import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChangeLog, MOST_CHANGES } from './index.js';
import { added, row } from './rows.testing.js';

describe('the log of changes', () => {
  it('keeps the newest, and counts what it drops', () => {
    const log = new ChangeLog();
    for (let time = 0; time < 3 * MOST_CHANGES; time += 1) log.add([added(row('Pod', `p-${time}`), time)]);
    log.add([], 7);
    assert.ok(log.changes.length < 2 * MOST_CHANGES);
    assert.equal(log.changes.length + log.dropped, 3 * MOST_CHANGES + 7);
    assert.equal(log.total, 3 * MOST_CHANGES + 7);
    assert.equal(log.changes.at(-1)?.time, 3 * MOST_CHANGES - 1);
  });

  it('takes older changes in, each once', () => {
    const log = new ChangeLog();
    const [first, second] = [added(row('Pod', 'a'), 1), added(row('Pod', 'b'), 2)];
    log.add([second]);
    log.merge([first, second]);
    assert.deepEqual(log.changes, [first, second]);
  });
});
