import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { notFound, type StatusError } from '@binnacle/apimachinery/status';
import {
  inProcessAuthenticator,
  parseTokenFile,
  tokenAuthenticator,
  unionAuthenticator,
} from '../authentication/index.js';
import type { AuthorizationAttributes } from '../authorization/index.js';
import { clientGone, respondJson, respondStatus, writeStream } from '../http/index.js';
import { type Filter, type Handler, RequestContext } from '../request/index.js';
import { FakeExchange, type FakeRequest } from '../testing/index.js';
import { authentication } from './authentication.js';
import { authorization, forbiddenRequest } from './authorization.js';
import { deadline } from './deadline.js';
import { createHandlerChain } from './handler-chain.js';
import { trackInFlight } from './in-flight.js';
import { longRunningLimit } from './long-running.js';
import { requestInfo } from './request-info.js';
import { auditId, cacheControl } from './standard-headers.js';

const ok: Handler = (context) => respondJson(context, 200, { user: context.user.name });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface ChainResult {
  readonly exchange: FakeExchange;
  readonly reported: unknown[];
}

async function play(filters: readonly Filter[], handler: Handler, request: FakeRequest = {}): Promise<ChainResult> {
  const exchange = new FakeExchange(request);
  const reported: unknown[] = [];
  createHandlerChain({ filters, handler, now: () => 0, report: (error) => reported.push(error) })(exchange);
  await turn();
  return { exchange, reported };
}

function recorder(name: string, log: string[], asynchronous = false): Filter {
  return {
    name,
    enter: () => {
      log.push(`+${name}`);
      return asynchronous ? Promise.resolve() : undefined;
    },
    leave: () => void log.push(`-${name}`),
  };
}

describe('handler chain', () => {
  it('enters filters in order and leaves them in reverse', async () => {
    const log: string[] = [];
    await play([recorder('a', log), recorder('b', log, true), recorder('c', log)], ok);
    assert.deepEqual(log, ['+a', '+b', '+c', '-c', '-b', '-a']);
  });

  it('stays synchronous when no filter is asynchronous', () => {
    const exchange = new FakeExchange({});
    const log: string[] = [];
    createHandlerChain({ filters: [recorder('a', log)], handler: ok, now: () => 0, report: () => undefined })(exchange);
    assert.equal(exchange.status, 200);
    assert.deepEqual(log, ['+a', '-a']);
  });

  it('stops behind a filter that answers, and leaves only the filters that were entered', async () => {
    const log: string[] = [];
    const answer: Filter = { name: 'answer', enter: ok };
    await play([recorder('a', log), answer, recorder('b', log)], () => assert.fail());
    const refuse: Filter = { name: 'refuse', enter: () => Promise.reject(notFound({ group: '', resource: 'x' }, 'y')) };
    const { exchange } = await play([recorder('c', log), refuse, recorder('d', log)], ok);
    assert.equal(exchange.status, 404);
    assert.deepEqual(log, ['+a', '-a', '+c', '-c']);
  });

  it('answers an unexpected error with a 500, and reports it once', async () => {
    for (const handler of [() => assert.fail('oops'), () => Promise.reject(new Error('oops'))]) {
      const { exchange, reported } = await play([auditId(seededRandom(1))], handler);
      assert.equal(exchange.status, 500);
      assert.match(exchange.body, /"message":"Internal error occurred: oops","reason":"InternalError"/);
      assert.notEqual(exchange.responseHeaders['audit-id'], undefined);
      assert.equal(reported.length, 1);
    }
  });

  it('breaks off a stream when its handler fails midway', async () => {
    const { exchange, reported } = await play([], (context) => {
      writeStream(context, 200, {}).write('half');
      throw new Error('oops');
    });
    assert.equal(exchange.status, 200);
    assert.ok(exchange.destroyed);
    assert.equal(reported.length, 1);
  });

  it('reports no error when the client has disconnected', async () => {
    const { exchange, reported } = await play([], (context) => {
      const reason = new DOMException('gone', 'AbortError');
      context.exchange.abort(reason);
      throw reason;
    });
    assert.ok(exchange.signal.aborted);
    assert.deepEqual(reported, []);
  });

  it('reports no error when the client of a stream has gone', async () => {
    const { reported } = await play([], () => Promise.reject(clientGone()));
    assert.deepEqual(reported, []);
  });

  it('answers 400 for an invalid target', async () => {
    const { exchange } = await play([requestInfo], ok, { url: '/api/%zz' });
    assert.equal(exchange.status, 400);
  });
});

describe('standard headers', () => {
  it('echoes or generates the audit id, and forbids caching', async () => {
    const { exchange } = await play([auditId(seededRandom(1)), cacheControl], ok, { headers: { 'audit-id': 'mine' } });
    assert.equal(exchange.responseHeaders['audit-id'], 'mine');
    assert.equal(exchange.responseHeaders['cache-control'], 'no-cache, private');
    const other = await play([auditId(seededRandom(1))], ok);
    assert.match(String(other.exchange.responseHeaders['audit-id']), /^[0-9a-f-]{36}$/);
  });
});

describe('authentication filter', () => {
  const authenticators = [tokenAuthenticator(parseTokenFile('t,jane,u'))];
  const filter = authentication(unionAuthenticator({ authenticators, anonymous: true }));

  it('sets the user', async () => {
    const { exchange } = await play([filter], ok, { headers: { authorization: 'Bearer t' } });
    assert.equal(exchange.body, '{"user":"jane"}\n');
    assert.equal((await play([filter], ok)).exchange.body, '{"user":"system:anonymous"}\n');
  });

  it('trusts an in-process caller, whatever other credentials it sends', async () => {
    const caller = { name: 'loop', uid: '', groups: ['loops'], extra: {} };
    const inProcess = authentication(
      unionAuthenticator({ authenticators: [inProcessAuthenticator], anonymous: false }),
    );
    const exchange = Object.assign(new FakeExchange({ headers: { authorization: 'Bearer nope' } }), { caller });
    const context = new RequestContext(exchange, '/', new URLSearchParams(), 0);
    await inProcess.enter(context);
    assert.deepEqual(context.user, { ...caller, groups: ['loops', 'system:authenticated'] });
    const fromNetwork = new RequestContext(new FakeExchange({}), '/', new URLSearchParams(), 0);
    await assert.rejects(async () => inProcess.enter(fromNetwork), { code: 401 });
  });

  it('answers 401 as recorded', async () => {
    const { exchange } = await play([filter], ok, { headers: { authorization: 'Bearer nope' } });
    assert.equal(
      exchange.body,
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n',
    );
  });

  it('warns about extra white space', async () => {
    const { exchange } = await play([filter], ok, { headers: { authorization: 'Bearer  t' } });
    assert.equal(exchange.status, 200);
    assert.match(String(exchange.responseHeaders['warning']), /^299 - "the provided Authorization header/);
  });
});

describe('authorization filter', () => {
  const deny = authorization({ authorize: () => ({ allowed: false, reason: '' }) });

  it('answers 403 as recorded', async () => {
    const anonymous = 'User \\"system:anonymous\\" cannot';
    for (const [url, message, details] of [
      [
        '/api/v1/namespaces/n/pods',
        `pods is forbidden: ${anonymous} list resource \\"pods\\" in API group \\"\\" in the namespace \\"n\\"`,
        '{"kind":"pods"}',
      ],
      [
        '/api/v1/nodes',
        `nodes is forbidden: ${anonymous} list resource \\"nodes\\" in API group \\"\\" at the cluster scope`,
        '{"kind":"nodes"}',
      ],
      ['/metrics', `forbidden: ${anonymous} get path \\"/metrics\\"`, '{}'],
      [
        '/api/v1/namespaces/n/pods/x/log',
        `pods \\"x\\" is forbidden: ${anonymous} get resource \\"pods/log\\" in API group \\"\\" in the namespace \\"n\\"`,
        '{"name":"x","kind":"pods"}',
      ],
      [
        '/apis/apps/v1/namespaces/n/deployments',
        `deployments.apps is forbidden: ${anonymous} list resource \\"deployments\\" in API group \\"apps\\" in the namespace \\"n\\"`,
        '{"group":"apps","kind":"deployments"}',
      ],
    ] as const) {
      const { exchange } = await play([requestInfo, deny], ok, { url });
      assert.equal(
        exchange.body,
        `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"${message}","reason":"Forbidden","details":${details},"code":403}\n`,
      );
    }
  });

  it('adds the reason, without markup', () => {
    const attributes: AuthorizationAttributes = {
      user: { name: '<b>', uid: '', groups: [], extra: {} },
      verb: 'get',
      isResourceRequest: false,
      namespace: '',
      group: '',
      version: '',
      resource: '',
      subresource: '',
      name: '',
      path: '/x',
    };
    assert.equal(
      forbiddenRequest(attributes, 'because').message,
      'forbidden: User "&lt;b&gt;" cannot get path "/x": because',
    );
  });

  it('can authorize another verb', async () => {
    const readOnly = authorization({ authorize: ({ verb }) => ({ allowed: verb !== 'create', reason: '' }) });
    const creating: Handler = (context) => context.authorizeAs('create');
    const { exchange } = await play([requestInfo, readOnly], creating, { url: '/api/v1/namespaces/n/pods/x' });
    assert.equal(exchange.status, 403);
    assert.match(exchange.body, /cannot create resource \\"pods\\"/);
    assert.equal((await play([requestInfo], creating)).exchange.status, 500);
  });

  it('asks for a list with its selectors, and for a history without any, because it is that of all objects', async () => {
    const asked: AuthorizationAttributes[] = [];
    const recording = authorization({
      authorize: (attributes) => {
        asked.push(attributes);
        return { allowed: true, reason: '' };
      },
    });
    const query = 'fieldSelector=spec.nodeName%3Dmine&labelSelector=a%3Db';
    for (const path of ['/api/v1/pods', '/binnacle/v1/history/api/v1/pods']) {
      await play([requestInfo, recording], ok, { url: `${path}?${query}` });
    }
    assert.deepEqual(
      asked.map(({ verb, resource, fieldSelector, labelSelector }) => [verb, resource, fieldSelector, labelSelector]),
      [
        ['list', 'pods', 'spec.nodeName=mine', 'a=b'],
        ['list', 'pods', undefined, undefined],
      ],
    );
  });

  it('lets allowed requests pass, also asynchronously', async () => {
    const allow = authorization({ authorize: () => Promise.resolve({ allowed: true, reason: '' }) });
    assert.equal((await play([requestInfo, allow], ok)).exchange.status, 200);
  });
});

describe('deadline', () => {
  const never: Handler = () => new Promise<void>(() => undefined);

  it('answers 504 for a slow handler, and aborts it', async () => {
    const clock = new VirtualClock();
    const expired: RequestContext[] = [];
    const onExpired = (context: RequestContext): void => {
      expired.push(context);
    };
    const filters = [requestInfo, deadline({ clock, maximum: 60_000, onExpired })];
    const { exchange } = await play(filters, never, { url: '/api/v1/pods' });
    await clock.advance(59_999);
    assert.equal(exchange.answered, false);
    assert.equal(expired.length, 0);
    await clock.advance(500);
    assert.equal(exchange.status, 504);
    assert.match(exchange.body, /"Timeout: request did not complete within the allotted timeout"/);
    assert.ok(exchange.signal.aborted);
    assert.equal(expired[0]?.path, '/api/v1/pods');
    assert.equal(clock.waiting, 0);
  });

  it('gives writes a shorter deadline with an error of their own', async () => {
    const clock = new VirtualClock();
    const writeError = async (context: RequestContext, error: StatusError): Promise<void> => {
      await respondStatus(context, error);
    };
    const filters = [requestInfo, deadline({ clock, maximum: 60_000, writes: { maximum: 34_000, writeError } })];
    const read = await play(filters, never, { url: '/api/v1/pods' });
    const slow = await play(filters, never, { method: 'POST', url: '/api/v1/namespaces/n/pods' });
    const asked = await play(filters, never, { method: 'POST', url: '/api/v1/namespaces/n/pods?timeout=5s' });
    await clock.advance(5500);
    assert.match(asked.exchange.body, /"Timeout: request did not complete within the allotted timeout"/);
    assert.equal(slow.exchange.answered, false);
    await clock.advance(29_000);
    assert.equal(slow.exchange.status, 504);
    assert.match(
      slow.exchange.body,
      /"Timeout: request did not complete within requested timeout - context deadline exceeded"/,
    );
    assert.ok(slow.exchange.signal.aborted);
    assert.equal(read.exchange.answered, false);
  });

  it('does not break off the answer to a write at the deadline of the write', async () => {
    const clock = new VirtualClock();
    const writes = { maximum: 34_000, writeError: () => Promise.resolve() };
    const begin: Handler = (context) => {
      writeStream(context, 200, {});
      return never(context);
    };
    const filters = [requestInfo, deadline({ clock, maximum: 60_000, writes })];
    const { exchange } = await play(filters, begin, { method: 'PATCH', url: '/api/v1/namespaces/n/configmaps/c' });
    await clock.advance(59_500);
    assert.equal(exchange.destroyed, false);
    assert.equal(exchange.signal.aborted, false);
    await clock.advance(1_000);
    assert.equal(exchange.destroyed, true);
  });

  it('lets a client set a shorter deadline, and refuses an invalid duration', async () => {
    const clock = new VirtualClock();
    const filters = [requestInfo, deadline({ clock, maximum: 60_000 })];
    const { exchange } = await play(filters, never, { url: '/api/v1/pods?timeout=2s' });
    await clock.advance(2_000);
    assert.equal(exchange.status, 504);
    const wrong = await play(filters, never, { url: '/api/v1/pods?timeout=soon' });
    assert.match(
      wrong.exchange.body,
      /"invalid timeout specified in the request URL - time: invalid duration \\"soon\\""/,
    );
  });

  it('exempts watches, and breaks off a response that has begun', async () => {
    const clock = new VirtualClock();
    const filters = [requestInfo, deadline({ clock, maximum: 60_000 })];
    const begin: Handler = (context) => {
      writeStream(context, 200, {});
      return never(context);
    };
    const watch = await play(filters, begin, { url: '/api/v1/pods?watch=1' });
    const list = await play(filters, begin, { url: '/api/v1/pods' });
    await clock.advance(60_500);
    assert.equal(watch.exchange.destroyed, false);
    assert.equal(list.exchange.destroyed, true);
  });
});

describe('in-flight requests', () => {
  it('counts requests, and aborts long-running ones', async () => {
    const inFlight = trackInFlight(new VirtualClock());
    const filters = [requestInfo, inFlight.filter];
    const untilAborted: Handler = (context) =>
      new Promise((resolve) => context.exchange.signal.addEventListener('abort', () => resolve()));
    const watch = await play(filters, untilAborted, { url: '/api/v1/pods?watch=1' });
    const get = await play(filters, untilAborted, { url: '/api/v1/namespaces/n/pods/p' });
    await play(filters, ok);
    assert.equal(inFlight.count, 2);
    await inFlight.abortLongRunning(new Error('shutting down'), 0);
    await turn();
    assert.equal(watch.exchange.signal.aborted, true);
    assert.equal(get.exchange.signal.aborted, false);
    assert.equal(inFlight.count, 1);
  });

  it('spread the ends of watches over a time, and end others at once', async () => {
    const clock = new VirtualClock();
    const inFlight = trackInFlight(clock);
    const filters = [requestInfo, inFlight.filter];
    const untilAborted: Handler = (context) =>
      new Promise((resolve) => context.exchange.signal.addEventListener('abort', () => resolve()));
    const watches = [];
    for (let count = 0; count < 4; count++) {
      watches.push(await play(filters, untilAborted, { url: '/api/v1/pods?watch=1' }));
    }
    const log = await play(filters, untilAborted, { url: '/api/v1/namespaces/n/pods/p/log' });
    const ended = inFlight.abortLongRunning(new Error('shutting down'), 4000);
    const counts: number[] = [];
    for (let second = 0; second < 4; second++) {
      counts.push(watches.filter(({ exchange }) => exchange.signal.aborted).length);
      await clock.advance(1000);
    }
    await ended;
    assert.equal(log.exchange.signal.aborted, true);
    assert.deepEqual(counts, [1, 2, 3, 4]);
  });

  it('settle when the last handler has ended, or after a limit', async () => {
    const clock = new VirtualClock();
    const inFlight = trackInFlight(clock);
    await inFlight.settled(60_000);
    let end = (): void => undefined;
    const handler: Handler = () => new Promise((resolve) => (end = resolve));
    await play([requestInfo, inFlight.filter], handler, { url: '/api/v1/pods' });
    const late = inFlight.settled(5000);
    await clock.advance(5000);
    await late;
    assert.equal(inFlight.count, 1);
    const settled = inFlight.settled(60_000);
    end();
    await settled;
    assert.equal(inFlight.count, 0);
  });
});

describe('the limit of long-running requests', () => {
  it('counts only open long-running requests, per user', async () => {
    const user = { name: '' };
    const as: Filter = {
      name: 'authentication',
      enter: (context) => {
        context.user = { ...context.user, name: user.name };
      },
    };
    const filters = [requestInfo, as, longRunningLimit(2)];
    const untilAborted: Handler = (context) =>
      new Promise((resolve) => context.exchange.signal.addEventListener('abort', () => resolve()));
    const ask = async (name: string, url: string): Promise<ChainResult> => {
      user.name = name;
      return play(filters, untilAborted, { url });
    };
    const watch = '/api/v1/pods?watch=1';
    const open = [await ask('ann', watch), await ask('ann', watch)];
    const refused = await ask('ann', watch);
    assert.equal(refused.exchange.status, 429);
    assert.equal(refused.exchange.responseHeaders['retry-after'], '1');
    for (const [name, url] of [
      ['bob', watch],
      ['ann', '/api/v1/pods'],
    ] as const) {
      assert.equal((await ask(name, url)).exchange.answered, false);
    }
    open[0]?.exchange.abort(new Error('over'));
    await turn();
    assert.equal((await ask('ann', watch)).exchange.answered, false);
  });
});
