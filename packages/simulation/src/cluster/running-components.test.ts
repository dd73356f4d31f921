import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, sleep, VirtualClock } from '@binnacle/apimachinery/clock';
import type { ClusterComponent } from './components.js';
import { RunningComponents } from './running-components.js';

function running(run: ClusterComponent['run']) {
  const clock = new VirtualClock();
  const failures: unknown[] = [];
  const components = new RunningComponents([{ name: 'one', run }], {
    clock,
    random: seededRandom(1),
    connect: () => assert.fail('nothing connects'),
    failed: (error) => failures.push(error),
  });
  components.start();
  return { clock, components, failures };
}

describe('RunningComponents', () => {
  it('starts a killed component again, and waits for its end', async () => {
    let starts = 0;
    let ends = 0;
    const { clock, components, failures } = running(async ({ clock: own }, signal) => {
      starts++;
      await sleep(own, 3_600_000, signal).catch(() => undefined);
      await sleep(own, 100);
      ends++;
    });
    components.kill('one', 5000);
    components.kill('one', 1);
    await clock.advance(4999);
    assert.deepEqual([starts, ends], [1, 1]);
    await clock.advance(1);
    assert.equal(starts, 2);
    await components.end(new Error('over'));
    assert.deepEqual([starts, ends, failures], [2, 2, []]);
    assert.throws(() => components.kill('two'), /no component two: there are one/);
  });

  it('counts reports, and tells of a component that fails', async () => {
    const failure = new Error('broken');
    const { clock, components, failures } = running(async ({ report }) => {
      report(new Error('slow'), 'here');
      report(new Error('slow'), 'here');
      throw failure;
    });
    await clock.advance(0);
    assert.deepEqual([...components.reports], [['here: slow', 2]]);
    assert.deepEqual(failures, [failure]);
  });
});
