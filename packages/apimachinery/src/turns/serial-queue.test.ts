import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SerialQueue } from './serial-queue.js';

describe('SerialQueue', () => {
  it('runs one work at a time, in the order of the calls', async () => {
    const queue = new SerialQueue();
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      return name;
    };
    assert.deepEqual(await Promise.all([queue.run(work('a')), queue.run(work('b'))]), ['a', 'b']);
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('goes on after a failure, which its caller gets', async () => {
    const queue = new SerialQueue();
    const failed = queue.run(() => Promise.reject(new Error('disk full')));
    const next = queue.run(() => Promise.resolve('next'));
    await assert.rejects(failed, /^Error: disk full$/);
    assert.equal(await next, 'next');
  });

  it('is idle when its work has ended', async () => {
    const queue = new SerialQueue();
    let ended = false;
    void queue.run(async () => {
      await Promise.resolve();
      ended = true;
    });
    await queue.idle();
    assert.equal(ended, true);
  });
});
