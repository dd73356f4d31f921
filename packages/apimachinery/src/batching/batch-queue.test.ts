import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '../clock/index.js';
import { BatchQueue } from './batch-queue.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function queueOf(more: object = {}, send?: () => Promise<void>) {
  const clock = new VirtualClock();
  const batches: string[][] = [];
  const lost: [string, number][] = [];
  const ended: string[] = [];
  const target = {
    send: (items: readonly string[]) => {
      batches.push([...items]);
      return send?.() ?? Promise.resolve();
    },
    endSoon: () => void ended.push('soon'),
    close: () => {
      ended.push('closed');
      return Promise.resolve();
    },
  };
  const queue = new BatchQueue<string>(
    { bufferSize: 3, maximumBatchSize: 2, maximumWaitMs: 1000, ...more },
    {
      target,
      clock,
      lost: (error, items) => void lost.push([error instanceof Error ? error.message : '', items]),
      sizeOf: ({ length }) => length,
      full: 'full',
    },
  );
  return { clock, batches, lost, ended, queue };
}

describe('BatchQueue', () => {
  it('sends a batch that is full at once, and another one after its wait', async () => {
    const { clock, batches, queue } = queueOf();
    for (const item of ['a', 'b']) queue.add(item);
    await settled();
    assert.deepEqual(batches, [['a', 'b']]);
    queue.add('c');
    await clock.advance(999);
    assert.equal(batches.length, 1);
    await clock.advance(1);
    assert.deepEqual(batches[1], ['c']);
  });

  it('drops items that find the queue full or would take too much memory', () => {
    const { lost, queue } = queueOf({ maximumBatchSize: 10 });
    for (let count = 0; count < 5; count++) queue.add('a');
    assert.deepEqual(lost, [
      ['full', 1],
      ['full', 1],
    ]);
    const large = queueOf({ bufferSize: 100, maximumBatchSize: 100 });
    for (let count = 0; count < 5; count++) large.queue.add('x'.repeat(30 * 1024 * 1024));
    assert.equal(large.lost.length, 2);
  });

  it('counts the memory of a batch until it is sent', async () => {
    let sent: () => void = () => undefined;
    const { lost, queue } = queueOf({ maximumBatchSize: 1 }, () => new Promise((resolve) => (sent = resolve)));
    const large = 'x'.repeat(70 * 1024 * 1024);
    queue.add(large);
    await settled();
    queue.add(large);
    assert.deepEqual(lost, [['full', 1]]);
    sent();
    await settled();
    queue.add(large);
    assert.equal(lost.length, 1);
  });

  it('limits batches a second', async () => {
    const { clock, batches, queue } = queueOf({ maximumBatchSize: 1, throttle: { qps: 1, burst: 1 } });
    for (const item of ['a', 'b']) queue.add(item);
    await settled();
    assert.equal(batches.length, 1);
    await clock.advance(1000);
    assert.equal(batches.length, 2);
  });

  it('sends the rest when it closes, without its throttle, and takes nothing afterwards', async () => {
    const { batches, ended, lost, queue } = queueOf({ maximumBatchSize: 1, throttle: { qps: 0.001, burst: 1 } });
    for (const item of ['a', 'b', 'c']) queue.add(item);
    await queue.close();
    assert.deepEqual(batches, [['a'], ['b'], ['c']]);
    assert.deepEqual(ended, ['soon', 'closed']);
    queue.add('d');
    assert.deepEqual(lost, [['full', 1]]);
  });

  it('counts a batch that cannot be sent as lost, and goes on', async () => {
    const { lost, queue } = queueOf({}, () => Promise.reject(new Error('down')));
    for (const item of ['a', 'b', 'c']) queue.add(item);
    await queue.close();
    assert.deepEqual(lost, [
      ['down', 2],
      ['down', 1],
    ]);
  });
});
