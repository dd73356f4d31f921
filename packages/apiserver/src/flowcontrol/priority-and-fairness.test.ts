import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { createHandlerChain, requestInfo } from '../filters/index.js';
import { respondText } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import { FakeExchange, type FakeRequest } from '../testing/index.js';
import { debugPages } from './debug-pages.js';
import { level, schema, TestConfiguration, testFlowControl } from './flow-control.testing.js';
import { priorityAndFairness } from './priority-and-fairness.js';

const PODS = '/api/v1/namespaces/n/pods';
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Given {
  readonly queues?: number;
  /** Of which the level of the test has half. */
  readonly seats?: number;
  readonly size?: { readonly objects: number; readonly objectBytes: number };
  /** The time that a request has, in milliseconds. */
  readonly allowed?: number;
}

/** A server with two seats by default, whose requests end when the test says so. The header `user` names the user. */
function serverOf({ queues = 8, seats = 4, size, allowed = Number.POSITIVE_INFINITY }: Given = {}) {
  const clock = new VirtualClock();
  const configuration = new TestConfiguration();
  configuration.set([schema('s', 'l', 100, 'g')], [level('l', 5, queues, 3)]);
  const { control, told } = testFlowControl(clock, configuration, seats);
  const refused: string[] = [];
  const queued: boolean[] = [];
  const fairness = priorityAndFairness({
    control,
    clock,
    size: () => size,
    onQueued: (_, waits) => queued.push(waits),
    onRefused: ({ path }) => refused.push(path),
  });
  const open: { readonly context: RequestContext; readonly end: () => void }[] = [];
  const handler: Handler = async (context) => {
    await new Promise<void>((resolve) => open.push({ context, end: resolve }));
    await respondText(context, 200, 'done');
  };
  const identify = {
    name: 'identify',
    enter: (context: RequestContext) => {
      const { user = 'jane', groups = 'g' } = context.exchange.headers;
      context.user = { name: String(user), uid: '', groups: String(groups).split(','), extra: {} };
      context.acceptedDeadline = context.receivedAt + allowed;
    },
  };
  const run = createHandlerChain({
    filters: [requestInfo, identify, fairness.filter],
    handler,
    now: () => clock.monotonic(),
    report: (error) => assert.fail(String(error)),
  });
  const ask = (request: FakeRequest = {}): FakeExchange => {
    const exchange = new FakeExchange({ url: PODS, ...request });
    run(exchange);
    return exchange;
  };
  const pages = debugPages({ control, admissions: () => fairness.admissions, clock });
  return { clock, control, told, refused, queued, open, ask, pages };
}

describe('priorityAndFairness', () => {
  it('starts what fits in the same turn, and others in order when seats are free', async () => {
    const { ask, open, queued } = serverOf();
    const asked = [ask(), ask(), ask()];
    assert.equal(open.length, 2);
    assert.deepEqual(queued, [true]);
    open[0]?.end();
    await turn();
    assert.equal(open.length, 3);
    assert.deepEqual(queued, [true, false]);
    for (const { end } of open) end();
    await turn();
    assert.deepEqual(
      asked.map(({ status }) => status),
      [200, 200, 200],
    );
  });

  it('names the flow schema and the priority level by UID, in every answer', async () => {
    const { ask, open } = serverOf({ queues: 0 });
    const asked = [ask(), ask(), ask()];
    for (const { end } of open) end();
    await turn();
    for (const { responseHeaders } of asked) {
      assert.equal(responseHeaders['x-kubernetes-pf-flowschema-uid'], 'uid of schema s');
      assert.equal(responseHeaders['x-kubernetes-pf-prioritylevel-uid'], 'uid of level l');
    }
  });

  it('answers 429 with a pause in the words of upstream', async () => {
    const { ask, refused, told } = serverOf({ queues: 0 });
    ask();
    ask();
    const exchange = ask();
    await turn();
    const { status, body, responseHeaders } = exchange;
    assert.deepEqual(
      [status, body, responseHeaders['retry-after'], responseHeaders['content-type']],
      [429, 'Too many requests, please try again later.\n', '1', 'text/plain; charset=utf-8'],
    );
    assert.deepEqual(refused, [PODS]);
    assert.ok(told.includes('l s refused concurrency-limit'));
  });

  it('answers 429 to a request that waits for a fourth of its time', async () => {
    const { ask, clock, open, queued, told } = serverOf({ allowed: 20_000 });
    ask();
    ask();
    await clock.advance(1000);
    const exchange = ask();
    await clock.advance(4999);
    assert.equal(exchange.status, 0);
    await clock.advance(1);
    assert.equal(exchange.status, 429);
    assert.ok(told.includes('l s waited 5 false'));
    assert.deepEqual(queued, [true, false]);
    for (const { end } of open) end();
    await turn();
    assert.equal(open.length, 2);
  });

  it('lets a request without a deadline wait for fifteen seconds, and no request for more than a minute', async () => {
    for (const [allowed, wait] of [
      [Number.POSITIVE_INFINITY, 15_000],
      [3_600_000, 60_000],
    ] as const) {
      const { ask, clock } = serverOf({ allowed });
      ask();
      ask();
      const exchange = ask();
      await clock.advance(wait - 1);
      assert.equal(exchange.status, 0);
      await clock.advance(1);
      assert.equal(exchange.status, 429);
    }
  });

  it('forgets a waiting request whose client leaves', async () => {
    const { ask, clock, control, open } = serverOf();
    ask();
    ask();
    const exchange = ask();
    exchange.abort(new DOMException('gone', 'AbortError'));
    await turn();
    assert.equal(control.levels.get('l')?.queues.waiting, 0);
    for (const { end } of open) end();
    await turn();
    assert.equal(open.length, 2);
    assert.ok(clock.waiting <= 1, 'only the adjustment is due');
  });

  it('gives back the seats of a watch when its first events are sent', async () => {
    const { ask, control, open, told } = serverOf();
    const watch = { url: `${PODS}?watch=1` };
    ask(watch);
    ask(watch);
    ask();
    assert.equal(open.length, 2);
    open[0]?.context.watchInitialized();
    await turn();
    assert.equal(open.length, 3);
    for (const { end } of open) end();
    await turn();
    assert.ok(control.levels.get('l')?.queues.isIdle);
    assert.equal(told.filter((line) => line === 'l s executed 0 true').length, 2);
  });

  it('passes other long-running requests', async () => {
    const { ask, open } = serverOf({ queues: 0 });
    const logs = ask({ url: `${PODS}/p/log?follow=1` });
    for (let request = 0; request < 5; request++) ask({ method: 'POST', url: `${PODS}/p/exec` });
    assert.equal(open.length, 6);
    for (const { end } of open) end();
    await turn();
    assert.equal(logs.responseHeaders['x-kubernetes-pf-flowschema-uid'], undefined);
  });

  it('lets a wide list wait until it fits', async () => {
    const { ask, open, told } = serverOf({ seats: 40, size: { objects: 30, objectBytes: 10_000 } });
    for (let request = 0; request < 18; request++) ask({ url: `${PODS}/p` });
    ask();
    assert.equal(open.length, 18);
    assert.ok(told.includes('l s estimated 3') && told.includes('l s noRoom'));
    for (const { end } of open.slice(0, 3)) end();
    await turn();
    assert.equal(open.length, 19);
  });

  it('keeps seats after a write that concerns many watches', async () => {
    const { ask, clock, open, control } = serverOf();
    for (let watch = 0; watch < 20; watch++) {
      ask({ url: `${PODS}?watch=1&resourceVersion=5` });
      open.at(-1)?.context.watchInitialized();
      await turn();
    }
    ask({ method: 'PUT', url: `${PODS}/p` });
    const write = open.at(-1);
    assert.equal(control.levels.get('l')?.queues.seatsInUse, 1, 'a level of two seats allows one for each request');
    write?.end();
    await turn();
    assert.equal(control.levels.get('l')?.queues.seatsInUse, 1);
    await clock.advance(10);
    assert.equal(control.levels.get('l')?.queues.seatsInUse, 0);
  });

  it('shares the seats among users', async () => {
    const { ask, open } = serverOf();
    for (let request = 0; request < 5; request++) ask({ headers: { user: 'flood' } });
    ask({ headers: { user: 'other' } });
    for (let request = 0; request < 3; request++) {
      open[request]?.end();
      await turn();
    }
    assert.ok(open.slice(2, 5).some(({ context }) => context.user.name === 'other'));
  });
});

describe('debugPages', () => {
  async function page(server: ReturnType<typeof serverOf>, name: string): Promise<string> {
    const handler = server.pages.handlerFor(`/debug/api_priority_and_fairness/${name.replace(/\?.*/, '')}`);
    assert.ok(handler);
    const run = createHandlerChain({ filters: [], handler, now: () => 0, report: () => undefined });
    const exchange = new FakeExchange({ url: `/x/${name}` });
    run(exchange);
    await turn();
    return exchange.body;
  }

  it('show levels, queues and requests', async () => {
    const server = serverOf({ queues: 2 });
    await server.clock.advance(1500);
    for (let request = 0; request < 3; request++) server.ask();
    assert.equal(
      await page(server, 'dump_priority_levels'),
      `\
PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests
catch-all,         0,            true,   false,       0,               0,                 0,                  0,                0,                0
exempt,            0,            true,   false,       0,               0,                 0,                  0,                0,                0
l,                 1,            false,  false,       1,               2,                 2,                  0,                0,                0
`,
    );
    const queues = (await page(server, 'dump_queues')).split('\n');
    assert.equal(
      queues[0],
      'PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum',
    );
    assert.deepEqual(queues.slice(1).sort(), [
      '',
      'l,                 0,      1,               2,                 2,          0.00600000ss,  1,               1,           0.00300000ss',
      'l,                 1,      0,               0,                 0,          0.00000000ss,  0,               0,           0.00000000ss',
    ]);
    const requests = (await page(server, 'dump_requests')).split('\n');
    assert.match(
      requests[0] ?? '',
      /^PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime, /,
    );
    assert.match(
      requests[1] ?? '',
      /^l, +s, +0, +-1, +jane, +2027-01-15T08:00:01\.5Z, +1, +0, +0s, +2027-01-15T08:00:01\.5Z$/,
    );
    assert.match(requests[3] ?? '', /^l, +s, +0, +0, +jane, +\S+, +1, +0, +0s, +0001-01-01T00:00:00Z$/);
    const details = await page(server, 'dump_requests?includeRequestDetails=1');
    assert.match(details, /StartTime, +UserName, Verb, +APIPath, .*SubResource\n/);
    assert.match(details, /jane, +list, +\/api\/v1\/namespaces\/n\/pods, n, +, +v1, +pods, +\n/);
  });

  it('list only busy queues where there are many', async () => {
    const server = serverOf({ queues: 1_000_000 });
    server.ask();
    assert.equal((await page(server, 'dump_queues')).split('\n').length, 3);
  });
});
