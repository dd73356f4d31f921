import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { respondJson } from '../http/index.js';
import type { Handler } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { createHandlerChain } from './handler-chain.js';
import { memoryCeiling } from './memory-ceiling.js';

const MIB = 1024 * 1024;

/** The path sets the cost: `/30` costs 30 MiB, and `?head=5` adds a head of 5 MiB while the request waits for `starts`. */
function serverOf(room: number, handler: Handler, starts: () => Promise<void> | void = () => undefined) {
  const held = { bytes: 20 * MIB };
  const ceiling = memoryCeiling({
    ceiling: room * MIB + held.bytes,
    held: () => held.bytes,
    head: ({ query }) => Number(query.get('head')) * MIB,
    estimate: ({ path }) => Number.parseInt(path.slice(1), 10) * MIB,
    isLasting: ({ path }) => path.endsWith('lasting'),
    estimateRead: ({ path }) => (path.endsWith('unannounced') ? (bytes) => bytes * MIB : undefined),
  });
  const filters = [ceiling.heads, { name: 'flow-control', enter: starts }, ceiling.filter];
  const run = createHandlerChain({ filters, handler, now: () => 0, report: () => undefined });
  const ask = (path: string, body = ''): FakeExchange => {
    const exchange = new FakeExchange({ url: path, body });
    run(exchange);
    return exchange;
  };
  return { ceiling, held, ask };
}

/** A handler that answers when the test says so. */
function waiting() {
  const release: (() => void)[] = [];
  const handler: Handler = async (context) => {
    await new Promise<void>((resolve) => release.push(resolve));
    await respondJson(context, 200, {});
  };
  return { handler, release };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('memoryCeiling', () => {
  it('admits requests that fit and answers 429 to others until memory is released', async () => {
    const { handler, release } = waiting();
    const { ceiling, ask } = serverOf(100, handler);
    const first = ask('/60');
    const second = ask('/30');
    const refused = ask('/11');
    const small = ask('/10');
    await turn();
    assert.deepEqual([first.status, second.status, refused.status, small.status], [0, 0, 429, 0]);
    assert.deepEqual([ceiling.reserved, ceiling.room, ceiling.refused], [100 * MIB, 100 * MIB, 1]);
    const status = JSON.parse(refused.body) as { reason: string; details: { retryAfterSeconds: number } };
    assert.deepEqual([status.reason, status.details.retryAfterSeconds], ['TooManyRequests', 1]);
    release.shift()?.();
    await turn();
    assert.deepEqual([first.status, ceiling.reserved], [200, 40 * MIB]);
    ask('/60');
    assert.equal(ceiling.reserved, 100 * MIB);
    for (const done of release) done();
    await turn();
    assert.equal(ceiling.reserved, 0);
  });

  it('counts what a request turns out to need, and refuses it when that does not fit', async () => {
    const { handler: wait, release } = waiting();
    const { ceiling, ask } = serverOf(100, (context) => {
      context.reserveMemory(Number(context.query.get('more')) * MIB);
      return wait(context);
    });
    const first = ask('/30?more=40');
    assert.equal(ceiling.reserved, 70 * MIB);
    const refused = ask('/10?more=21');
    await turn();
    const second = ask('/10?more=20');
    await turn();
    assert.deepEqual([first.status, refused.status, second.status], [0, 429, 0]);
    for (const done of release) done();
    await turn();
    assert.deepEqual([first.status, second.status, ceiling.reserved], [200, 200, 0]);
  });

  it('always admits a request that is alone, or that costs nothing', async () => {
    const { handler, release } = waiting();
    const { ask } = serverOf(10, handler);
    const large = ask('/500');
    const probe = ask('/0');
    const other = ask('/1');
    await turn();
    assert.deepEqual([large.status, probe.status, other.status], [0, 0, 429]);
    for (const done of release) done();
    await turn();
    assert.deepEqual([large.status, probe.status], [200, 200]);
  });

  it('gives half of the room to requests that last', async () => {
    const { handler, release } = waiting();
    const { ask } = serverOf(100, handler);
    const first = ask('/30lasting');
    const second = ask('/21lasting');
    const third = ask('/20lasting');
    const other = ask('/50');
    await turn();
    assert.deepEqual([first.status, second.status, third.status, other.status], [0, 429, 0, 0]);
    release.shift()?.();
    await turn();
    assert.equal(first.status, 200);
    assert.equal(ask('/31lasting').status, 429);
    ask('/30lasting');
    for (const done of release) done();
    await turn();
  });

  it('counts the heads of requests that wait, and gives a quarter of the room to them', async () => {
    const { handler, release } = waiting();
    const start: (() => void)[] = [];
    const { ceiling, ask } = serverOf(100, handler, () => new Promise<void>((resolve) => start.push(resolve)));
    const first = ask('/40?head=15');
    const second = ask('/1?head=11');
    const third = ask('/40lasting?head=10');
    const small = ask('/80');
    await turn();
    assert.deepEqual([first.status, second.status, third.status, small.status], [0, 429, 0, 0]);
    assert.deepEqual([ceiling.reserved, ceiling.refused], [25 * MIB, 1]);
    start.shift()?.();
    await turn();
    assert.equal(ceiling.reserved, 50 * MIB, 'a request that is served reserves its cost in place of its head');
    assert.equal(ask('/1?head=11').status, 0, 'the head of a request that is served waits no more');
    for (const done of start.splice(0)) done();
    await turn();
    assert.deepEqual([third.status, small.status, ceiling.reserved], [0, 429, 81 * MIB]);
    for (const done of release) done();
    await turn();
    assert.deepEqual([first.status, third.status, ceiling.reserved], [200, 200, 0]);
  });

  it('admits less when the process itself holds more', () => {
    const { handler } = waiting();
    const { ceiling, held, ask } = serverOf(100, handler);
    ask('/10');
    held.bytes = 115 * MIB;
    assert.equal(ask('/10').status, 429);
    held.bytes = 500 * MIB;
    assert.equal(ceiling.room, 0);
  });

  it('admits a request again when its body of unannounced length has been read', async () => {
    const { handler, release } = waiting();
    const { ceiling, ask } = serverOf(100, async (context) => {
      await context.exchange.readBody(100);
      await handler(context);
    });
    const first = ask('/10unannounced', 'x'.repeat(60));
    const second = ask('/10unannounced', 'x'.repeat(60));
    const third = ask('/10unannounced', 'x'.repeat(20));
    await turn();
    assert.deepEqual([first.status, second.status, third.status], [0, 429, 0]);
    assert.deepEqual([ceiling.reserved, ceiling.refused], [80 * MIB, 1]);
    for (const done of release) done();
    await turn();
    assert.deepEqual([first.status, third.status, ceiling.reserved], [200, 200, 0]);
  });

  it('releases memory once, however a request ends', async () => {
    const failing = serverOf(100, () => {
      throw new Error('no');
    });
    assert.equal(failing.ask('/10').status, 500);
    await turn();
    assert.equal(failing.ceiling.reserved, 0);
    const rejecting = serverOf(100, () => Promise.reject(new Error('no')));
    rejecting.ask('/10');
    await turn();
    assert.equal(rejecting.ceiling.reserved, 0);
  });
});
