import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { TimerQueue } from './timer-queue.js';

const ignore = (): void => undefined;

describe('queue of timers', () => {
  it('has no first timer while it is empty', () => {
    const queue = new TimerQueue();
    assert.deepEqual([queue.size, queue.first, queue.take()], [0, undefined, undefined]);
  });

  it('removes a timer once', () => {
    const queue = new TimerQueue();
    const remove = queue.add(1, ignore);
    queue.add(2, ignore);
    remove();
    remove();
    assert.deepEqual([queue.size, queue.take()?.at, queue.size], [1, 2, 0]);
  });

  it('gives timers by time, then by the order of their setting, whatever is removed in between', () => {
    const steps = fc.array(
      fc.record({ at: fc.nat(5), act: fc.constantFrom('add', 'add', 'take', 'remove'), pick: fc.nat() }),
    );
    fc.assert(
      fc.property(steps, (history) => {
        const queue = new TimerQueue();
        const waiting: { at: number; run: () => void; remove: () => void }[] = [];
        const sorted = () => waiting.toSorted((a, b) => a.at - b.at);
        for (const { at, act, pick } of history) {
          if (act === 'add') {
            const run = () => undefined;
            waiting.push({ at, run, remove: queue.add(at, run) });
          } else if (act === 'remove') {
            waiting.splice(pick % Math.max(1, waiting.length), 1)[0]?.remove();
          } else {
            const [first] = sorted();
            assert.equal(queue.take()?.run, first?.run);
            if (first !== undefined) waiting.splice(waiting.indexOf(first), 1);
          }
          assert.equal(queue.size, waiting.length);
          assert.equal(queue.first?.run, sorted()[0]?.run);
        }
      }),
    );
  });
});
