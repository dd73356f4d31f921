import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { WorkQueue } from './work-queue.js';

/** A queue that records the names it works on; `work` may fail or wait. */
function queueOf(work: (name: string) => Promise<void> = () => Promise.resolve(), workers = 1) {
  const clock = new VirtualClock();
  const worked: string[] = [];
  const reported: unknown[] = [];
  const queue = new WorkQueue({
    work: (name) => {
      worked.push(name);
      return work(name);
    },
    report: (error) => reported.push(error),
    clock,
    workers,
  });
  return { clock, worked, reported, queue };
}

describe('WorkQueue', () => {
  it('works on one name at a time, in the order of their arrival', async () => {
    const release: (() => void)[] = [];
    const { clock, worked, queue } = queueOf(() => new Promise((resolve) => release.push(resolve)));
    for (const name of ['a', 'b', 'b', 'a']) queue.add(name);
    await clock.advance(0);
    assert.deepEqual(worked, ['a']);
    release[0]?.();
    await clock.advance(0);
    assert.deepEqual(worked, ['a', 'b']);
    release[1]?.();
    await clock.advance(0);
    // `a` arrived again while it was being worked on.
    assert.deepEqual(worked, ['a', 'b', 'a']);
  });

  it('works on as many names at a time as it has workers, and on no name twice', async () => {
    const release = new Map<string, () => void>();
    const { clock, worked, queue } = queueOf((name) => new Promise((resolve) => release.set(name, resolve)), 2);
    for (const name of ['a', 'a', 'b', 'a', 'c']) queue.add(name);
    await clock.advance(0);
    assert.deepEqual(worked, ['a', 'b']);
    release.get('b')?.();
    await clock.advance(0);
    assert.deepEqual(worked, ['a', 'b', 'c']);
    release.get('a')?.();
    await clock.advance(0);
    assert.deepEqual(worked, ['a', 'b', 'c', 'a']);
  });

  it('requeues a failed name with growing delays, and starts over after a success', async () => {
    let fails = true;
    const { clock, worked, reported, queue } = queueOf(() =>
      fails ? Promise.reject(new Error('no')) : Promise.resolve(),
    );
    queue.add('a');
    await clock.advance(0);
    const delays: (number | undefined)[] = [];
    for (let round = 0; round < 3; round++) {
      delays.push(clock.untilNext);
      await clock.advance(clock.untilNext ?? 0);
    }
    assert.deepEqual(delays, [50, 100, 200]);
    assert.equal(worked.length, 4);
    assert.equal(reported.length, 4);
    fails = false;
    await clock.advance(clock.untilNext ?? 0);
    assert.equal(clock.waiting, 0);
    fails = true;
    queue.add('a');
    await clock.advance(0);
    assert.equal(clock.untilNext, 50);
  });

  it('goes on with other names after a failure', async () => {
    const { clock, worked, queue } = queueOf((name) =>
      name === 'a' ? Promise.reject(new Error('no')) : Promise.resolve(),
    );
    queue.add('a');
    queue.add('b');
    await clock.advance(0);
    assert.deepEqual(worked, ['a', 'b']);
  });

  it('adds a name later', async () => {
    const { clock, worked, queue } = queueOf();
    queue.addAfter('a', 1000);
    await clock.advance(999);
    assert.deepEqual(worked, []);
    await clock.advance(1);
    assert.deepEqual(worked, ['a']);
  });

  it('keeps the earliest time of a name', async () => {
    const { clock, worked, queue } = queueOf();
    for (const delay of [2000, 1000, 3000]) queue.addAfter('a', delay);
    queue.addAfter('b', 3000);
    assert.equal(clock.waiting, 2);
    await clock.advance(1000);
    assert.deepEqual(worked, ['a']);
    await clock.advance(2000);
    assert.deepEqual(worked, ['a', 'b']);
    assert.equal(clock.waiting, 0);
  });

  it('repeats work that requeues its name at one pace, no matter how often the name is added', async () => {
    const { clock, worked, queue } = queueOf((name) => Promise.resolve(queue.addAfter(name, 60_000)));
    for (let count = 0; count < 100; count++) {
      queue.add('a');
      await clock.advance(10);
    }
    assert.equal(worked.length, 100);
    await clock.advance(120_000);
    assert.equal(worked.length, 102);
    assert.equal(clock.waiting, 1);
  });

  it('retries a name that fails at one pace, no matter how often the name is added', async () => {
    const { clock, worked, queue } = queueOf(() => Promise.reject(new Error('no')));
    for (let count = 0; count < 100; count++) {
      queue.add('a');
      await clock.advance(30_000);
    }
    assert.equal(clock.waiting, 1);
    const before = worked.length;
    await clock.advance(300_000);
    assert.equal(worked.length - before, 10);
  });

  it('does nothing more once it is stopped', async () => {
    const { clock, worked, queue } = queueOf();
    queue.addAfter('a', 1000);
    queue.stop();
    queue.add('b');
    await clock.advance(2000);
    assert.deepEqual(worked, []);
    assert.equal(clock.waiting, 0);
  });

  it('neither reports nor retries what fails after the stop', async () => {
    let fail = (): void => undefined;
    const { clock, reported, queue } = queueOf(
      () => new Promise((_, reject) => (fail = () => reject(new Error('no')))),
    );
    queue.add('a');
    await clock.advance(0);
    queue.stop();
    fail();
    await clock.advance(60_000);
    assert.deepEqual(reported, []);
    assert.equal(clock.waiting, 0);
  });
});
