import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstToFinish, leastLoaded } from './choose-queue.js';
import { FlowQueue, Ticket } from './flow-queue.js';
import { noLoad } from './work.js';

/** A queue with these numbers of seats waiting. */
function queueOf(index: number, nextDispatchR: number, ...widths: readonly number[]): FlowQueue {
  const queue = new FlowQueue(index, nextDispatchR);
  for (const seats of widths) queue.enqueue(new Ticket({ seats, finalSeats: 0, finalMs: 0 }, noLoad(), 0));
  return queue;
}

describe('leastLoaded', () => {
  const queues = new Map(
    [queueOf(1, 0, 1, 1), queueOf(2, 0, 1), queueOf(3, 0, 5)].map((queue) => [queue.index, queue]),
  );

  it('compares the work that waits, and counts a queue without requests as empty', () => {
    assert.equal(leastLoaded([1, 2, 3], 0, queues), 2);
    assert.equal(leastLoaded([1, 2, 7], 0, queues), 7);
  });

  it('gives ties to each in turn', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((turn) => leastLoaded([7, 8, 9], turn, queues)),
      [7, 8, 9, 7],
    );
  });
});

// Upstream: `TestFindDispatchQueueLocked`.
describe('firstToFinish', () => {
  const all = (): boolean => true;
  const indexOf = (queues: readonly FlowQueue[], lastIndex = -1, isAdmissible = all) =>
    firstToFinish(queues, lastIndex, isAdmissible)?.index;

  it('adds the work of the oldest request to the virtual time of its dispatch', () => {
    assert.equal(indexOf([queueOf(0, 1, 1), queueOf(1, 0.9, 1)]), 1);
    assert.equal(indexOf([queueOf(0, 1, 1), queueOf(1, 0.999, 10)]), 0);
  });

  it('leaves out queues without requests, and those that are not admissible', () => {
    assert.equal(indexOf([queueOf(0, 0), queueOf(1, 5, 1)]), 1);
    assert.equal(firstToFinish([queueOf(0, 0, 4), queueOf(1, 5, 1)], -1, (_, { seats }) => seats < 4)?.index, 1);
    assert.equal(indexOf([queueOf(0, 0)]), undefined);
  });

  it('gives ties to the next queue after the last one, and begins again at the end', () => {
    const queues = [queueOf(2, 1, 1), queueOf(0, 1, 1), queueOf(1, 1, 1)];
    assert.deepEqual(
      [-1, 0, 1, 2].map((last) => indexOf(queues, last)),
      [0, 1, 2, 0],
    );
  });
});
