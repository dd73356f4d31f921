import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { respondJson } from '../http/index.js';
import type { Handler } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { createHandlerChain } from './handler-chain.js';
import { memoryCeiling } from './memory-ceiling.js';

const MIB = 1024 * 1024;

/** The path sets the cost: `/30` costs 30 MiB. */
function serverOf(room: number, handler: Handler) {
  const held = { bytes: 20 * MIB };
  const ceiling = memoryCeiling({
    ceiling: room * MIB + held.bytes,
    held: () => held.bytes,
    estimate: ({ path }) => Number.parseInt(path.slice(1), 10) * MIB,
    isLasting: ({ path }) => path.endsWith('lasting'),
    estimateRead: ({ path }) => (path.endsWith('unannounced') ? (bytes) => bytes * MIB : undefined),
  });
  const run = createHandlerChain({ filters: [ceiling.filter], handler, now: () => 0, report: () => undefined });
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
