import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client, type ClientPlan, workOfSeats } from './client.testing.js';
import type { Ticket } from './flow-queue.js';
import { QueueSet, type QueueSetShape } from './queue-set.js';
import { StepClock } from './step-clock.testing.js';
import { noLoad, type Work } from './work.js';

const queued = (queues: number, queueLength: number): QueueSetShape => ({ isUnlimited: false, queues, queueLength });
const QUEUELESS: QueueSetShape = queued(0, 0);
const UNLIMITED: QueueSetShape = { ...QUEUELESS, isUnlimited: true };

/** Runs clients against a set. Upstream: the scenarios of `queueset_test.go`, which the titles name. */
function play(shape: QueueSetShape, limit: number, seconds: number, plans: readonly ClientPlan[]) {
  const clock = new StepClock();
  const set = new QueueSet(clock, shape, limit);
  const clients = plans.map((plan) => new Client(clock, set, plan));
  clock.advance(seconds * 1000);
  return { set, clients, served: clients.map(({ served }) => served) };
}

/** A set with a limit, and a function that sends a request to a queue. */
function setOf(shape: QueueSetShape, limit: number) {
  const clock = new StepClock();
  const set = new QueueSet(clock, shape, limit);
  const load = noLoad();
  const send = (index: number, work: Work = workOfSeats(1)): Ticket => {
    const ticket = set.arrive({ hand: [index], load, work });
    if (typeof ticket === 'string') assert.fail(ticket);
    return ticket;
  };
  return { clock, set, load, send };
}

function near(actual: number, wanted: number, margin: number): void {
  assert.ok(Math.abs(actual - wanted) <= margin * wanted, `${actual} is not within ${margin} of ${wanted}`);
}

describe('QueueSet: flows', () => {
  const second = { servedMs: 1000, pauseMs: 999 };

  it('of one kind share the seats (TestUniformFlowsHandSize1)', () => {
    const { served, clients } = play(queued(9, 8), 4, 50, [
      { hand: [1], threads: 8, ...second },
      { hand: [2], threads: 8, ...second },
    ]);
    for (const seatSeconds of served) near(seatSeconds, 100, 0.03);
    assert.deepEqual(
      clients.map(({ refused }) => refused),
      [0, 0],
    );
  });

  it('with hands that overlap share the seats (TestUniformFlowsHandSize3)', () => {
    const { served } = play(queued(8, 16), 4, 60, [
      { hand: [1, 4, 6], threads: 8, ...second },
      { hand: [6, 2, 7], threads: 8, ...second },
    ]);
    for (const seatSeconds of served) near(seatSeconds, 120, 0.05);
  });

  it('of different demand, each above its share, get equal parts (TestDifferentFlowsExpectEqual)', () => {
    const { served } = play(queued(9, 8), 4, 40, [
      { hand: [1], threads: 8, servedMs: 1000, pauseMs: 1000 },
      { hand: [2], threads: 7, servedMs: 1000, pauseMs: 500 },
    ]);
    for (const seatSeconds of served) near(seatSeconds, 80, 0.04);
  });

  it('that need less than their share get all they need (TestDifferentFlowsExpectUnequal)', () => {
    const { served } = play(queued(9, 6), 3, 20, [
      { hand: [1], threads: 4, ...second },
      { hand: [2], threads: 2, ...second },
    ]);
    near(served[0] ?? 0, 40, 0.06);
    near(served[1] ?? 0, 20, 0.06);
  });

  it('of wide and narrow requests get equal seat-seconds (TestDifferentWidths)', () => {
    const { served } = play(queued(64, 13), 6, 20, [
      { hand: [1], threads: 10, ...second, work: workOfSeats(1) },
      { hand: [2], threads: 10, ...second, work: workOfSeats(2) },
    ]);
    for (const seatSeconds of served) near(seatSeconds, 60, 0.17);
  });

  it('wider than the limit run alone (TestTooWide)', () => {
    const { served, set } = play(queued(64, 35), 6, 40, [
      ...[1, 2, 3, 4].map((queue) => ({ hand: [queue], threads: 15, ...second, work: workOfSeats(2) })),
      { hand: [5], threads: 15, ...second, work: workOfSeats(7) },
    ]);
    for (const seatSeconds of served) near(seatSeconds, 48, 0.4);
    assert.ok(set.seatsInUse <= 7);
  });

  it('that use less than their share get no credit for it (TestWindup)', () => {
    const { clock, send, set } = setOf(queued(9, 8), 2);
    for (const index of [0, 1]) send(index);
    clock.advance(10_000);
    const late = send(0);
    assert.equal(late.state, 'waiting');
    assert.equal(set.currentR, 10);
    assert.equal(late.queue?.nextDispatchR, 10);
  });

  it('of a set without queues compete, and the rest is refused (TestDifferentFlowsWithoutQueuing)', () => {
    const { set, clients } = play(QUEUELESS, 4, 13, [
      { hand: [], threads: 6, servedMs: 1000, pauseMs: 57 },
      { hand: [], threads: 4, servedMs: 750, pauseMs: 0.75 },
    ]);
    assert.ok(clients.every(({ refused, finished }) => refused > 0 && finished > 0));
    assert.equal(set.waiting, 0);
  });

  it('of an unlimited set are never refused (TestExempt)', () => {
    const { served } = play(UNLIMITED, 1, 20, [{ hand: [], threads: 3, servedMs: 1000, pauseMs: 1000 }]);
    assert.deepEqual(served, [30]);
  });
});

describe('QueueSet', () => {
  it('starts a request at once while there are seats, then lets others wait in turn', () => {
    const { send, set, load } = setOf(queued(4, 2), 2);
    const [first, second, third] = [send(0), send(0), send(1)];
    assert.deepEqual([first.state, second.state, third.state], ['executing', 'executing', 'waiting']);
    assert.deepEqual(load, { waiting: 1, waitingSeats: 1, executing: 2, executingSeats: 2 });
    const started: string[] = [];
    third.started = () => started.push('third');
    set.finish(first);
    assert.deepEqual([third.state, started], ['executing', ['third']]);
    set.finish(second);
    set.finish(third);
    assert.deepEqual(load, noLoad());
    assert.ok(set.isIdle);
    assert.deepEqual([...set.queues], []);
  });

  it('refuses a request when its queue is full and no seat is free', () => {
    const { send, set, load } = setOf(queued(2, 1), 1);
    send(0);
    send(0);
    assert.equal(set.arrive({ hand: [0], load, work: workOfSeats(1) }), 'queue-full');
    assert.equal(send(1).state, 'waiting');
    assert.equal(set.refused, 1);
  });

  it('refuses a request at once when there are no queues', () => {
    const { send, set, load } = setOf(QUEUELESS, 2);
    const first = send(0, workOfSeats(2));
    assert.equal(set.arrive({ hand: [], load, work: workOfSeats(1) }), 'concurrency-limit');
    assert.deepEqual([...set.direct], [first]);
    set.finish(first);
    assert.equal(send(0).state, 'executing');
  });

  it('chooses the queue of the hand with the least work', () => {
    const { send, set, load } = setOf(queued(8, 10), 1);
    send(7);
    for (const index of [0, 0, 1]) send(index);
    const ticket = set.arrive({ hand: [0, 1, 2], load, work: workOfSeats(1) });
    assert.ok(typeof ticket === 'object');
    assert.equal(ticket.queue?.index, 2);
  });

  it('cancels a waiting request once, which frees its place', () => {
    const { send, set, load } = setOf(queued(2, 1), 1);
    const running = send(0);
    const waiting = send(0);
    set.cancel(waiting);
    set.cancel(waiting);
    set.cancel(running);
    assert.deepEqual([waiting.state, running.state, set.cancelled, set.waiting], ['over', 'executing', 1, 0]);
    const next = send(0);
    set.finish(running);
    assert.equal(next.state, 'executing');
    assert.deepEqual(load, { waiting: 0, waitingSeats: 0, executing: 1, executingSeats: 1 });
  });

  it('keeps an eighth of the seats for flows that hold few', () => {
    const { send, set } = setOf(queued(8, 50), 16);
    const states = (tickets: readonly Ticket[]) => tickets.map(({ state }) => state);
    // Fourteen seats are for all, and two are kept.
    const flood = Array.from({ length: 10 }, () => send(0, workOfSeats(4)));
    assert.equal(set.seatsInUse, 12);
    const own = [send(1), send(1), send(1)];
    assert.deepEqual(states(own), ['executing', 'executing', 'waiting'], 'a flow that holds two seats gets no other');
    const few = [send(2), send(3, workOfSeats(2)), send(4), send(5)];
    assert.deepEqual(states(few), ['executing', 'waiting', 'executing', 'waiting']);
    assert.equal(set.seatsInUse, 16);
    const [first] = few;
    assert.ok(first);
    set.finish(first);
    assert.deepEqual(states(few), ['over', 'waiting', 'executing', 'executing']);
    for (const ticket of flood.slice(0, 3)) set.finish(ticket);
    assert.deepEqual(states([...own, ...few.slice(1)]), Array(6).fill('executing'));
  });

  it('lets those behind a cancelled wide request go on', () => {
    const { send, set } = setOf(queued(2, 4), 2);
    send(0);
    const wide = send(1, workOfSeats(2));
    const narrow = send(1);
    assert.deepEqual([wide.state, narrow.state], ['waiting', 'waiting']);
    set.cancel(wide);
    assert.equal(narrow.state, 'executing');
  });

  it('keeps seats for the final work of a request, although the request is over', () => {
    const { clock, send, set } = setOf(queued(2, 4), 3);
    const write = send(0, { seats: 1, finalSeats: 3, finalMs: 50 });
    assert.equal(set.seatsInUse, 3);
    set.finish(write);
    const next = send(1);
    assert.deepEqual([set.executing, set.seatsInUse, next.state], [0, 3, 'waiting']);
    clock.advance(49);
    assert.equal(next.state, 'waiting');
    clock.advance(1);
    assert.equal(next.state, 'executing');
  });

  it('reports each change of requests, seats and limit', () => {
    const { clock, send, set } = setOf(queued(2, 4), 2);
    const seen: unknown[] = [];
    set.onChange = () => seen.push([set.waiting, set.executing, set.seatsInUse, set.limit].join(' '));
    const write = send(0, { seats: 1, finalSeats: 2, finalMs: 50 });
    const next = send(1);
    set.finish(write);
    clock.advance(50);
    set.finish(next);
    set.configure(set.shape, 3);
    const wanted = ['1 0 0 2', '0 1 2 2', '1 1 2 2', '1 0 2 2', '1 0 0 2', '0 1 1 2', '0 0 0 2', '0 0 0 3'];
    assert.deepEqual(seen, wanted);
  });

  it('makes final work that is wider than the limit longer', () => {
    const { clock, send, set } = setOf(queued(2, 4), 2);
    const write = send(0, { seats: 1, finalSeats: 8, finalMs: 5 });
    assert.deepEqual(write.work, { seats: 1, finalSeats: 2, finalMs: 20 });
    set.finish(write);
    clock.advance(19);
    assert.equal(set.seatsInUse, 2);
    clock.advance(1);
    assert.equal(set.seatsInUse, 0);
  });

  it('reports requests that wait although a seat is free', () => {
    const { send, set, load } = setOf(queued(2, 4), 2);
    const told: object[] = [];
    set.onNoRoom = (of) => told.push(of);
    send(0);
    send(1, workOfSeats(2));
    assert.equal(told[0], load);
  });

  it('obeys a new limit and drains queues that are gone', () => {
    const { send, set } = setOf(queued(8, 4), 1);
    const running = send(7);
    const waiting = send(7);
    set.configure(queued(2, 4), 2);
    assert.deepEqual([waiting.state, set.limit], ['executing', 2]);
    set.finish(running);
    set.finish(waiting);
    assert.deepEqual([...set.queues], []);
    set.configure(queued(2, 4), 0);
    assert.equal(send(0).state, 'waiting');
  });

  it('advances virtual time by the seats that each queue with requests gets', () => {
    const { clock, send, set } = setOf(queued(8, 9), 3);
    assert.equal(set.currentR, 0);
    clock.advance(1000);
    assert.equal(set.currentR, 0);
    send(0);
    clock.advance(1000);
    assert.equal(set.currentR, 1);
    for (let request = 0; request < 4; request++) send(1);
    clock.advance(1000);
    assert.equal(set.currentR, 1 + 3 / 2);
  });

  it('remembers the virtual times of its last dispatch', () => {
    const { clock, send, set } = setOf(queued(8, 9), 1);
    assert.deepEqual([set.dispatchR, set.latestS], [undefined, undefined]);
    const first = send(0);
    send(1);
    assert.deepEqual([set.dispatchR, set.latestS], [0, 0]);
    clock.advance(2000);
    set.finish(first);
    assert.deepEqual([set.dispatchR, set.latestS], [1, 0]);
  });

  it('says when the oldest waiting requests of its queues could start', () => {
    const { clock, send, set } = setOf(queued(8, 9), 2);
    send(0, workOfSeats(2));
    assert.equal(set.nextStarts, undefined);
    send(0);
    clock.advance(2000);
    send(1);
    const [held, arrived] = [2 * 0.003, 4];
    assert.deepEqual(set.nextStarts, {
      starts: { min: held, max: arrived },
      discounted: { min: 0, max: arrived },
    });
  });
});
