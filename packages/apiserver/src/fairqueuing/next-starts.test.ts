import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workOfSeats } from './client.testing.js';
import { FlowQueue, Ticket } from './flow-queue.js';
import { nextStarts } from './next-starts.js';
import { noLoad } from './work.js';

function queueOf(nextDispatchR: number, seatsInUse: number, waiting: number): FlowQueue {
  const queue = new FlowQueue(0, nextDispatchR);
  queue.seatsInUse = seatsInUse;
  for (let count = 0; count < waiting; count++) queue.enqueue(new Ticket(workOfSeats(1), noLoad(), 0));
  return queue;
}

describe('nextStarts', () => {
  it('are absent while no request waits', () => {
    assert.equal(nextStarts([]), undefined);
    assert.equal(nextStarts([queueOf(1, 2, 0)]), undefined);
  });

  it('are the first and the last of the queues in which requests wait', () => {
    const { starts } = nextStarts([queueOf(4, 0, 1), queueOf(1, 0, 0), queueOf(7, 0, 2), queueOf(5, 0, 1)]) ?? {};
    assert.deepEqual(starts, { min: 4, max: 7 });
  });

  it('are earlier by 3 ms for each seat in use', () => {
    const { starts, discounted } = nextStarts([queueOf(4, 1000, 1), queueOf(2, 0, 1)]) ?? {};
    assert.deepEqual(starts, { min: 2, max: 4 });
    assert.deepEqual(discounted, { min: 1, max: 2 });
  });
});
