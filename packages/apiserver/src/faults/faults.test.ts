import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { createHandlerChain, requestInfo } from '../filters/index.js';
import { respondJson } from '../http/index.js';
import type { Filter, Handler, RequestContext } from '../request/index.js';
import { FakeExchange, type FakeRequest } from '../testing/index.js';
import { type FaultRule, Faults } from './index.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class TestServer {
  readonly faults = new Faults();
  readonly clock = new VirtualClock();
  readonly reported: unknown[] = [];
  user = 'jane';
  handler: Handler = (context) => respondJson(context, 200, { served: true });
  readonly #handle: (exchange: FakeExchange) => void;

  constructor() {
    const asUser: Filter = {
      name: 'user',
      enter: (context) => {
        context.user = { name: this.user, uid: '', groups: [], extra: {} };
      },
    };
    this.#handle = createHandlerChain({
      filters: [requestInfo, asUser, this.faults.filter(this.clock)],
      handler: (context) => (this.faults.handlerFor(context.path) ?? this.handler)(context),
      now: () => 0,
      report: (error) => this.reported.push(error),
    });
  }

  begin(method: string, url: string, request: FakeRequest = {}): FakeExchange {
    const exchange = new FakeExchange({ ...request, method, url });
    this.#handle(exchange);
    return exchange;
  }

  async send(method: string, url: string, body?: unknown): Promise<FakeExchange> {
    const exchange = this.begin(method, url, body === undefined ? {} : { body: JSON.stringify(body) });
    await turn();
    return exchange;
  }

  /** The statuses of that many requests, sent one after the other. */
  async statuses(count: number, method: string, url: string): Promise<number[]> {
    const statuses: number[] = [];
    for (let index = 0; index < count; index++) statuses.push((await this.send(method, url)).status);
    return statuses;
  }

  get hits(): number[] {
    return this.faults.list().map(({ hits }) => hits);
  }
}

const CONFIG_MAPS = '/api/v1/namespaces/ns/configmaps';
const refuse = (code: number): FaultRule['action'] => ({ type: 'answer', code });

describe('faults: answers', () => {
  it('refuses matching requests as often as asked', async () => {
    const server = new TestServer();
    server.faults.add({ match: { verb: 'update', resource: 'configmaps' }, times: 2, action: refuse(409) });
    assert.deepEqual(await server.statuses(4, 'PUT', `${CONFIG_MAPS}/a`), [409, 409, 200, 200]);
    assert.deepEqual(await server.statuses(1, 'GET', `${CONFIG_MAPS}/a`), [200]);
    assert.deepEqual(server.hits, [2]);
    assert.deepEqual(server.reported, []);
  });

  it('answers with the Status that a real server would send', async () => {
    const server = new TestServer();
    const say = async (action: FaultRule['action'], method: string, url: string) => {
      using _ = server.faults.add({ action });
      const { status, responseHeaders, body } = await server.send(method, url);
      const { reason, message } = JSON.parse(body) as { reason?: string; message: string };
      return [status, reason, message, responseHeaders['retry-after']];
    };
    const one = `${CONFIG_MAPS}/a`;
    assert.deepEqual(await say(refuse(409), 'PUT', one), [
      409,
      'Conflict',
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      undefined,
    ]);
    assert.deepEqual((await say(refuse(409), 'POST', CONFIG_MAPS)).slice(0, 2), [409, 'AlreadyExists']);
    assert.deepEqual((await say(refuse(404), 'GET', one)).slice(0, 3), [404, 'NotFound', 'configmaps "a" not found']);
    assert.deepEqual((await say(refuse(410), 'GET', CONFIG_MAPS)).slice(0, 2), [410, 'Expired']);
    assert.deepEqual((await say(refuse(500), 'GET', one)).slice(0, 2), [500, 'InternalError']);
    assert.deepEqual((await say(refuse(418), 'GET', one)).slice(0, 2), [418, undefined]);
    assert.equal((await say(refuse(429), 'GET', one))[3], '1');
    assert.equal((await say({ type: 'answer', code: 429, retryAfterSeconds: 0 }, 'GET', one))[3], undefined);
    assert.deepEqual(
      await say({ type: 'answer', code: 503, message: 'gone fishing', retryAfterSeconds: 7 }, 'GET', one),
      [503, 'ServiceUnavailable', 'gone fishing', '7'],
    );
  });

  it('matches on every field, and on any of several values', async () => {
    const server = new TestServer();
    const scale = '/apis/apps/v1/namespaces/ns/deployments/web/scale';
    const fits = async (match: FaultRule['match']): Promise<boolean> => {
      using _ = server.faults.add({ ...(match === undefined ? {} : { match }), action: refuse(500) });
      return (await server.send('PATCH', scale)).status === 500;
    };
    const right = {
      verb: ['update', 'patch'],
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'ns',
      name: 'web',
      user: 'jane',
    };
    assert.equal(await fits(undefined), true);
    assert.equal(await fits(right), true);
    for (const field of Object.keys(right)) assert.equal(await fits({ ...right, [field]: 'other' }), false, field);
    assert.equal(await fits({ subresource: '' }), false);
  });

  it('ignores requests that are not for resources', async () => {
    const server = new TestServer();
    server.faults.add({ action: refuse(500) });
    assert.deepEqual(await server.statuses(1, 'GET', '/readyz'), [200]);
    assert.deepEqual(await server.statuses(1, 'GET', '/apis/apps/v1'), [200]);
    assert.deepEqual(await server.statuses(1, 'GET', '/debug/faults'), [200]);
    assert.deepEqual(server.hits, [0]);
  });
});

describe('faults: delays and dropped connections', () => {
  it('delays a request, then applies the next rule', async () => {
    const server = new TestServer();
    server.faults.add({ action: { type: 'delay', milliseconds: 500 } });
    server.faults.add({ times: 1, action: refuse(503) });
    const late = await server.send('GET', CONFIG_MAPS);
    assert.deepEqual([late.answered, server.clock.untilNext], [false, 500]);
    await server.clock.advance(500);
    assert.equal(late.status, 503);
    const impatient = await server.send('GET', CONFIG_MAPS);
    impatient.abort(new DOMException('the client has gone', 'AbortError'));
    await turn();
    assert.equal(server.clock.waiting, 0);
    assert.deepEqual(server.hits, [2, 1]);
    assert.deepEqual(server.reported, []);
  });

  it('drops the connection of a request without executing it', async () => {
    const server = new TestServer();
    let carriedOut = 0;
    server.handler = () => void carriedOut++;
    server.faults.add({ times: 1, action: { type: 'drop' } });
    const dropped = await server.send('PUT', `${CONFIG_MAPS}/a`);
    assert.deepEqual([dropped.destroyed, carriedOut], [true, 0]);
    await server.send('PUT', `${CONFIG_MAPS}/a`);
    assert.equal(carriedOut, 1);
    assert.deepEqual(server.reported, []);
  });
});

describe('faults: watches', () => {
  const events = (...revisions: number[]) => revisions.map((revision) => ({ revision }));

  /** Opens a watch that runs until its client disconnects. */
  async function watch(server: TestServer): Promise<{ context: RequestContext; wakes: () => number }> {
    let opened: RequestContext | undefined;
    let wakes = 0;
    server.handler = (context) => {
      opened = context;
      context.watchCut?.opened(() => void wakes++);
      return new Promise((resolve) => context.exchange.signal.addEventListener('abort', () => resolve()));
    };
    await server.send('GET', `${CONFIG_MAPS}?watch=1`);
    assert.ok(opened);
    return { context: opened, wakes: () => wakes };
  }

  it('cuts open watches and new ones', async () => {
    const server = new TestServer();
    const { context: first, wakes } = await watch(server);
    assert.equal(first.watchCut?.pass(events(1, 2, 3)), 3);
    assert.equal(first.watchCut?.end, undefined);
    server.faults.add({ match: { verb: 'watch' }, times: 2, action: { type: 'cutWatch' } });
    assert.equal(wakes(), 1);
    assert.deepEqual(first.watchCut?.end, { error: undefined, isBroken: false });
    assert.equal(first.watchCut?.pass(events(4)), 0);
    const { context: second } = await watch(server);
    assert.ok(second.watchCut?.end);
    const { context: third } = await watch(server);
    assert.equal(third.watchCut?.end, undefined);
    assert.deepEqual(server.hits, [2]);
  });

  it('passes the given number of events first, and never splits a revision', async () => {
    const server = new TestServer();
    server.faults.add({ action: { type: 'cutWatch', afterEvents: 3, how: 'break' } });
    const { context } = await watch(server);
    assert.equal(context.watchCut?.pass(events(1)), 1);
    assert.equal(context.watchCut?.end, undefined);
    assert.equal(context.watchCut?.pass(events(2, 3, 3, 4)), 3);
    assert.deepEqual(context.watchCut?.end, { error: undefined, isBroken: true });
  });

  it('ends with 410 if asked', async () => {
    const server = new TestServer();
    server.faults.add({ action: { type: 'cutWatch', how: 'expire' } });
    const { context } = await watch(server);
    assert.equal(context.watchCut?.end?.error?.code, 410);
  });

  it('cuts each watch once, and leaves the next rule for the next watch', async () => {
    const server = new TestServer();
    for (const how of ['end', 'break'] as const) server.faults.add({ times: 1, action: { type: 'cutWatch', how } });
    const { context: first } = await watch(server);
    const { context: second } = await watch(server);
    assert.deepEqual([first.watchCut?.end?.isBroken, second.watchCut?.end?.isBroken], [false, true]);
  });

  it('skips a watch that was refused', async () => {
    const server = new TestServer();
    server.faults.add({ times: 1, action: refuse(500) });
    assert.equal((await server.send('GET', `${CONFIG_MAPS}?watch=1`)).status, 500);
    const cut = server.faults.add({ times: 1, action: { type: 'cutWatch' } });
    assert.equal(cut.hits, 0);
    const { context } = await watch(server);
    assert.ok(context.watchCut?.end);
  });

  it('forgets a finished watch', async () => {
    const server = new TestServer();
    const { context } = await watch(server);
    context.exchange.abort(new Error('over'));
    await turn();
    server.faults.add({ times: 1, action: { type: 'cutWatch' } });
    assert.deepEqual(server.hits, [0]);
  });
});

describe('faults: the endpoint', () => {
  const body = (exchange: FakeExchange): unknown => JSON.parse(exchange.body);

  it('adds, lists, shows and removes rules', async () => {
    const server = new TestServer();
    const rule = { match: { verb: 'get' }, times: 1, action: { type: 'answer', code: 404 } };
    const added = await server.send('POST', '/debug/faults', rule);
    assert.deepEqual([added.status, body(added)], [201, { id: '1', hits: 0, ...rule }]);
    await server.send('GET', `${CONFIG_MAPS}/a`);
    const shown = { id: '1', hits: 1, ...rule };
    assert.deepEqual(body(await server.send('GET', '/debug/faults')), { items: [shown] });
    assert.deepEqual(body(await server.send('GET', '/debug/faults/1')), shown);
    assert.deepEqual(body(await server.send('DELETE', '/debug/faults/1')), shown);
    assert.equal((await server.send('GET', '/debug/faults/1')).status, 404);
    await server.send('POST', '/debug/faults', { action: { type: 'drop' } });
    const all = await server.send('DELETE', '/debug/faults');
    assert.deepEqual(body(all), { items: [{ id: '2', hits: 0, match: {}, action: { type: 'drop' } }] });
    assert.deepEqual(server.faults.list(), []);
    assert.equal((await server.send('PUT', '/debug/faults')).status, 405);
    assert.equal((await server.send('POST', '/debug/faults/1')).status, 405);
  });

  for (const [rule, message] of [
    [[], 'the rule: must be an object'],
    [{ match: {} }, 'action: must be an object with a type'],
    [{ action: { type: 'explode' } }, 'action.type: must be answer, delay, drop, cutWatch or holdCache'],
    [{ action: { type: 'drop' }, when: 'now' }, 'the rule has no field "when"; it may have match, times, action'],
    [{ action: { type: 'drop', code: 1 } }, 'action has no field "code"; it may have type'],
    [{ action: { type: 'answer' } }, 'action.code: must be an HTTP status from 400 to 599'],
    [{ action: { type: 'answer', code: 200 } }, 'action.code: must be a whole number from 400 to 599'],
    [{ action: { type: 'answer', code: 409, message: 1 } }, 'action.message: must be a string'],
    [{ action: { type: 'delay' } }, 'action.milliseconds: must be a whole number'],
    [{ action: { type: 'delay', milliseconds: 0.5 } }, 'action.milliseconds: must be a whole number from 0 to 3600000'],
    [{ action: { type: 'cutWatch', how: 'softly' } }, 'action.how: must be end, break or expire'],
    [{ action: { type: 'drop' }, times: 0 }, 'times: must be a whole number from 1 up'],
    [{ action: { type: 'drop' }, match: { kind: 'Pod' } }, /^match has no field "kind"; it may have verb, group, /],
    [{ action: { type: 'drop' }, match: { verb: [1] } }, 'match.verb: must be a string or a list of strings'],
    [{ action: { type: 'holdCache' }, times: 1 }, /^times: holdCache lasts until it is removed/],
    [
      { action: { type: 'holdCache' }, match: { verb: 'get' } },
      /^match.verb: holdCache goes by group and resource alone/,
    ],
  ] as const) {
    it(`refuses ${JSON.stringify(rule)}`, async () => {
      const server = new TestServer();
      const answer = await server.send('POST', '/debug/faults', rule);
      const { reason, message: said } = body(answer) as { reason: string; message: string };
      assert.deepEqual([answer.status, reason], [400, 'BadRequest']);
      if (typeof message === 'string') assert.equal(said, message);
      else assert.match(said, message);
      assert.deepEqual(server.faults.list(), []);
    });
  }

  it('refuses invalid JSON, and more rules than the limit', async () => {
    const server = new TestServer();
    const broken = server.begin('POST', '/debug/faults', { body: '{' });
    await turn();
    assert.match(broken.body, /the body is not a rule in JSON/);
    for (let count = 0; count < 1000; count++) server.faults.add({ action: { type: 'drop' } });
    assert.throws(() => server.faults.add({ action: { type: 'drop' } }), /1000 rules already/);
  });
});
