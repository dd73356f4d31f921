import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { Client, workOfSeats } from './client.testing.js';
import type { Ticket } from './flow-queue.js';
import { QueueSet } from './queue-set.js';
import { StepClock } from './step-clock.testing.js';
import { noLoad } from './work.js';

const QUEUES = 6;

const work = fc.record({
  seats: fc.integer({ min: 1, max: 4 }),
  finalSeats: fc.integer({ min: 0, max: 6 }),
  finalMs: fc.constantFrom(0, 5, 40),
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('arrive' as const), work, hand: handOf(QUEUES) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('finish' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 60 }) }) },
);

function handOf(queues: number) {
  return fc.uniqueArray(fc.nat(queues - 1), { minLength: 1, maxLength: 3 });
}

describe('QueueSet: any history', () => {
  it('starts no more than fits, counts what it has, and ends every request once', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 8 }), (steps, limit) => {
        const clock = new StepClock();
        const shape = { isUnlimited: false, queues: QUEUES, queueLength: 3 };
        const set = new QueueSet(clock, shape, limit);
        const load = noLoad();
        const tickets: Ticket[] = [];
        const starts = new Map<Ticket, number>();
        let allowed = limit;
        const started = (ticket: Ticket): void => {
          starts.set(ticket, (starts.get(ticket) ?? 0) + 1);
          assert.ok(set.seatsInUse <= allowed || set.executing === 1, 'a request starts within the limit, or alone');
        };
        const inState = (state: Ticket['state']): Ticket[] => tickets.filter((ticket) => ticket.state === state);
        const check = (): void => {
          const waiting = inState('waiting');
          assert.deepEqual([set.waiting, load.waiting], [waiting.length, waiting.length]);
          assert.equal(set.executing, inState('executing').length);
          assert.equal(
            load.waitingSeats,
            waiting.reduce((sum, { seats }) => sum + seats, 0),
          );
          assert.equal(set.seatsInUse, load.executingSeats);
          assert.ok(waiting.length === 0 || set.seatsInUse > 0, 'a request waits only for others');
        };
        for (const each of steps) {
          if (each.type === 'advance') clock.advance(each.ms);
          else if (each.type === 'limit') {
            allowed = each.limit;
            set.configure(shape, each.limit);
          } else if (each.type === 'arrive') {
            const ticket = set.arrive({ work: each.work, hand: each.hand, load });
            if (typeof ticket === 'string') continue;
            tickets.push(ticket);
            if (ticket.state === 'executing') started(ticket);
            else ticket.started = () => started(ticket);
          } else {
            const candidates = inState(each.type === 'finish' ? 'executing' : 'waiting');
            const ticket = candidates[each.which % Math.max(1, candidates.length)];
            if (ticket !== undefined) set[each.type](ticket);
          }
          check();
        }
        clock.advance(60_000);
        for (let rest = inState('executing'); rest.length > 0; rest = inState('executing')) {
          for (const ticket of rest) set.finish(ticket);
          clock.advance(60_000);
        }
        assert.ok(set.isIdle);
        assert.deepEqual([inState('over').length, set.seatsInUse, [...set.queues].length], [tickets.length, 0, 0]);
        assert.ok([...starts.values()].every((count) => count === 1));
        assert.deepEqual(load, noLoad());
      }),
    );
  });

  // Where wide requests leave seats unused, the others wait longer, but not longer than in one queue for all.
  it('serves a flow with one request soon, however many others wait', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 20, max: 100 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 50 }),
        (limit, threads, width, servedMs) => {
          const clock = new StepClock();
          const set = new QueueSet(clock, { isUnlimited: false, queues: QUEUES, queueLength: 200 }, limit);
          const seats = Math.min(width, limit);
          const flood = { hand: [0], threads, servedMs, pauseMs: 0, work: workOfSeats(seats) };
          const many = new Client(clock, set, flood);
          clock.advance(10 * servedMs);
          const one = new Client(clock, set, { hand: [1], threads: 1, servedMs, pauseMs: servedMs });
          clock.advance(60 * servedMs);
          const rounds = limit % seats === 0 ? 3 : threads + 1;
          assert.ok(one.longestWait <= rounds * servedMs, `waited ${one.longestWait / servedMs} rounds`);
          assert.ok(one.finished > 0);
          assert.ok(many.finished > 0);
        },
      ),
    );
  });

  it('serves a flow with one request at once, where the limit leaves room for a reserve', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 40 }), fc.integer({ min: 1, max: 8 }), (limit, seats) => {
        const clock = new StepClock();
        const set = new QueueSet(clock, { isUnlimited: false, queues: QUEUES, queueLength: 200 }, limit);
        const flood = { hand: [0], threads: 100, servedMs: 50, pauseMs: 0, work: workOfSeats(seats) };
        const many = new Client(clock, set, flood);
        clock.advance(1000);
        const one = new Client(clock, set, { hand: [1], threads: 1, servedMs: 5, pauseMs: 5 });
        clock.advance(1000);
        assert.equal(one.refused, 0);
        // A request of the flood that does not fit beside the reserve is alone, and nothing overtakes it.
        const isAlone = seats > limit - Math.floor(limit / 8);
        assert.ok(one.longestWait <= (isAlone ? flood.servedMs : 0), `waited ${one.longestWait} ms`);
        assert.ok(many.finished > 0);
      }),
      { numRuns: 30, examples: [[8, 8]] },
    );
  });

  it('serves wide requests, however many narrow ones of other flows come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 4 }),
        (limit, width, threads) => {
          const clock = new StepClock();
          const set = new QueueSet(clock, { isUnlimited: false, queues: QUEUES, queueLength: 50 }, limit);
          for (let queue = 1; queue < QUEUES; queue++) {
            const narrow = new Client(clock, set, { hand: [queue], threads, servedMs: 7 + queue, pauseMs: queue });
            clock.advance(3);
            assert.equal(narrow.refused, 0);
          }
          const plan = { hand: [0], threads: 1, servedMs: 10, pauseMs: 0, work: workOfSeats(width) };
          const wide = new Client(clock, set, plan);
          clock.advance(5000);
          assert.ok(wide.finished >= 5, `${wide.finished} of width ${width} within ${limit}`);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives equal flows equal seats', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 2, max: 5 }), (limit, flows) => {
        const clock = new StepClock();
        const set = new QueueSet(clock, { isUnlimited: false, queues: QUEUES, queueLength: 50 }, limit);
        const clients = Array.from(
          { length: flows },
          (_, index) => new Client(clock, set, { hand: [index], threads: 8 + 5 * index, servedMs: 10, pauseMs: 0 }),
        );
        clock.advance(3000);
        const share = (3 * limit) / flows;
        for (const { served } of clients) assert.ok(Math.abs(served - share) < 0.05 * share, `${served} of ${share}`);
      }),
      { numRuns: 30 },
    );
  });
});
