import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { VirtualClock } from '../testing/index.js';
import { BucketLimiter, ExponentialLimiter, MaxOfLimiter, WorkQueue } from './index.js';

const setUp = () => {
  const clock = new VirtualClock();
  return { clock, queue: new WorkQueue<string>({ clock }) };
};

describe('work queue', () => {
  it('hands out each key once, in order', async () => {
    const { queue } = setUp();
    for (const key of ['a', 'b', 'a']) queue.add(key);
    assert.equal(queue.length, 2);
    assert.deepEqual([await queue.get(), await queue.get()], ['a', 'b']);
    assert.equal(queue.length, 0);
  });

  it('never hands a key to two workers at a time', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.get();
    queue.add('a');
    queue.add('a');
    const next = queue.get();
    let given = false;
    void next.then(() => {
      given = true;
    });
    await Promise.resolve();
    assert.equal(given, false);
    queue.done('a');
    assert.equal(await next, 'a');
    queue.done('a');
    assert.equal(queue.length, 0);
    queue.done('never given');
  });

  it('hands out keys by priority, which a later add can raise', async () => {
    const { queue } = setUp();
    queue.add('low', { priority: -1 });
    queue.add('a');
    queue.add('b');
    queue.add('high', { priority: 10 });
    queue.add('b', { priority: 5 });
    queue.add('high', { priority: -5 });
    const order = [await queue.get(), await queue.get(), await queue.get(), await queue.get()];
    assert.deepEqual(order, ['high', 'b', 'a', 'low']);
  });

  it('keeps the earliest delay of a key, or none after an add', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 2000);
    queue.addAfter('b', 2000);
    queue.addAfter('b', 1000);
    queue.addAfter('c', 5000);
    queue.add('c');
    queue.addAfter('d', 0);
    assert.deepEqual([await queue.get(), await queue.get()], ['c', 'd']);
    await clock.advance(999);
    assert.equal(queue.length, 0);
    await clock.advance(1);
    assert.equal(queue.length, 2);
    assert.equal(clock.waiting, 0);
  });

  it('keeps the highest priority of a key', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('late', 1000, { priority: 5 });
    queue.addAfter('late', 2000, { priority: -5 });
    queue.addAfter('late', 500);
    queue.addAfter('low', 500, { priority: -1 });
    queue.addAfter('low', 600, { priority: -2 });
    queue.addAfter('now', 500, { priority: 9 });
    queue.add('now', { priority: -9 });
    assert.equal(await queue.get(), 'now');
    await clock.advance(500);
    queue.add('a');
    queue.add('a', { priority: 7 });
    queue.add('usual');
    const order = [await queue.get(), await queue.get(), await queue.get(), await queue.get()];
    assert.deepEqual(order, ['a', 'late', 'usual', 'low']);
    queue.add('a', { priority: 2 });
    queue.add('a', { priority: 1 });
    queue.add('b', { priority: 1 });
    queue.done('a');
    assert.equal(await queue.get(), 'a');
  });

  it('backs off for each failure of a key until forget', async () => {
    const { clock, queue } = setUp();
    for (const delay of [5, 10, 20]) {
      queue.addRateLimited('a');
      assert.equal(clock.untilNext, delay);
      await clock.advance(delay);
      assert.equal(await queue.get(), 'a');
      queue.done('a');
    }
    assert.equal(queue.retries('a'), 3);
    queue.forget('a');
    queue.addRateLimited('a');
    assert.equal(clock.untilNext, 5);
  });

  it('rejects a waiting get when its signal fires', async () => {
    const { queue } = setUp();
    const controller = new AbortController();
    const waiting = queue.get(controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    await assert.rejects(queue.get(controller.signal), /enough/);
    queue.add('a');
    assert.equal(await queue.get(), 'a');
  });

  it('drains when all keys are done', async () => {
    const { clock, queue } = setUp();
    queue.add('a');
    queue.add('b');
    queue.addAfter('late', 1000);
    assert.equal(await queue.get(), 'a');
    queue.add('a');
    const drained = queue.drain();
    let done = false;
    void drained.then(() => {
      done = true;
    });
    queue.add('c');
    queue.addRateLimited('d');
    assert.equal(clock.waiting, 0);
    assert.equal(await queue.get(), 'b');
    assert.equal(await queue.get(), undefined);
    queue.done('a');
    queue.done('b');
    assert.equal(await queue.get(), 'a', 'what was added before is worked on');
    assert.equal(done, false);
    queue.done('a');
    await drained;
    assert.equal(await queue.get(), undefined);
  });

  it('resolves waiting gets at shutdown', async () => {
    const { queue } = setUp();
    const waiting = [queue.get(), queue.get()];
    queue.shutDown();
    assert.deepEqual(await Promise.all(waiting), [undefined, undefined]);
    assert.equal(queue.isShuttingDown, true);
    queue.add('a');
    await queue.drain();
    await assert.rejects(queue.drain(AbortSignal.abort(new Error('enough'))), /enough/);
  });

  it('reports to its observer', async () => {
    const clock = new VirtualClock();
    const observed: unknown[] = [];
    const queue = new WorkQueue<string>({
      clock,
      observer: {
        added: (depth) => observed.push(['added', depth]),
        started: (waited, depth) => observed.push(['started', waited, depth]),
        finished: (worked) => observed.push(['finished', worked]),
        retried: () => observed.push('retried'),
      },
    });
    queue.add('a');
    queue.add('a');
    await clock.advance(10);
    await queue.get();
    await clock.advance(20);
    queue.addRateLimited('a');
    queue.done('a');
    assert.deepEqual(observed, [['added', 1], ['started', 10, 0], 'retried', ['finished', 20]]);
  });

  it('reports the age of unfinished work', async () => {
    const { clock, queue } = setUp();
    assert.deepEqual(queue.unfinished, { keys: 0, total: 0, longest: 0 });
    queue.add('a');
    queue.add('b');
    await queue.get();
    await clock.advance(30);
    await queue.get();
    await clock.advance(10);
    assert.deepEqual(queue.unfinished, { keys: 2, total: 50, longest: 40 });
    queue.done('a');
    assert.deepEqual(queue.unfinished, { keys: 1, total: 10, longest: 10 });
  });

  it('hands out every added key, to one worker at a time, in random schedules', async () => {
    const steps = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b', 'c'), how: fc.constantFrom('add', 'after', 'limited', 'time') }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (each) => {
        const { clock, queue } = setUp();
        const owed = new Set<string>();
        const busy = new Set<string>();
        const work = async () => {
          for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
            assert.equal(busy.has(key), false, 'two work on one key');
            busy.add(key);
            owed.delete(key);
            await new Promise<void>((resolve) => clock.setTimer(resolve, 7));
            busy.delete(key);
            queue.done(key);
          }
        };
        const workers = [work(), work()];
        for (const { key, how } of each) {
          if (how === 'time') await clock.advance(5);
          else owed.add(key);
          if (how === 'add') queue.add(key);
          if (how === 'after') queue.addAfter(key, 3);
          if (how === 'limited') queue.addRateLimited(key);
        }
        await clock.advance(10_000_000);
        assert.deepEqual([...owed], []);
        queue.shutDown();
        await Promise.all(workers);
      }),
      { numRuns: 50 },
    );
  });
});

describe('rate limiters', () => {
  it('delay by key, by total rate, or by the maximum of several', () => {
    const clock = new VirtualClock();
    const exponential = new ExponentialLimiter<string>({ initial: 100, maximum: 300 });
    assert.deepEqual(
      [1, 2, 3].map(() => exponential.delay('a')),
      [100, 200, 300],
    );
    assert.equal(exponential.delay('b'), 100);
    exponential.forget('a');
    const both = new MaxOfLimiter<string>([exponential, new BucketLimiter({ qps: 1, burst: 2 }, clock)]);
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => both.delay(key)),
      [100, 200, 1000],
    );
    assert.equal(both.retries('a'), 1);
    both.forget('a');
    assert.equal(both.retries('a'), 0);
  });
});
