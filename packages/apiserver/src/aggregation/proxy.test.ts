import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { parseRequestInfo, RequestContext } from '../request/index.js';
import { FakeExchange, type FakeRequest, messageOf, type Reaction, type ReceivedRequest } from '../testing/index.js';
import { FakeBackends, refused, serviceOf } from './backend.testing.js';
import { Proxy } from './proxy.js';

const RESOURCE = '/apis/example.com/v1/namespaces/n/foos';

/** Sends a request through the proxy to a backend that reacts like this. */
function proxying(
  react: (request: ReceivedRequest) => Reaction,
  {
    path = RESOURCE,
    query = '',
    isProxied = false,
    service = serviceOf(),
    ...request
  }: FakeRequest & {
    path?: string;
    query?: string;
    isProxied?: boolean;
    service?: ReturnType<typeof serviceOf>;
  } = {},
) {
  const clock = new VirtualClock();
  const backends = new FakeBackends(react);
  const exchange = new FakeExchange(request);
  const context = new RequestContext(exchange, path, new URLSearchParams(query), 0);
  context.info = parseRequestInfo(exchange.method, path, context.query);
  context.user = { name: 'jane', uid: '', groups: ['dev'], extra: {} };
  context.auditId = 'id';
  context.acceptedDeadline = 60_000;
  context.deadline = 34_000;
  const userHeaders = { names: [], prefixes: [] };
  const proxy = new Proxy({ backends, clock, userHeaders, isProxied: () => isProxied });
  assert.ok(service.backend);
  const handler = proxy.handler(service, service.backend);
  return { clock, backends, exchange, context, answered: async () => handler(context) };
}

describe('a proxied request', () => {
  it('reaches the backend with its user, and gets its answer', async () => {
    const { answered, exchange, backends, context } = proxying(
      () =>
        messageOf({ status: 201, headers: { 'content-type': 'text/plain', connection: 'close' }, body: ['a', 'b'] }),
      { method: 'POST', query: 'b=2&a=1', body: 'sent', headers: { accept: '*/*', authorization: 'Bearer x' } },
    );
    await answered();
    assert.deepEqual([exchange.status, exchange.body, exchange.ended], [201, 'ab', true]);
    assert.deepEqual(exchange.responseHeaders, { 'content-type': 'text/plain' });
    const [received] = backends.received;
    assert.deepEqual([received?.method, received?.url, received?.body], ['POST', `${RESOURCE}?a=1&b=2`, 'sent']);
    assert.equal(received?.headers['x-remote-user'], 'jane');
    assert.equal(received?.headers['host'], '10.0.0.1:443');
    assert.equal(received?.headers['authorization'], undefined);
    assert.equal(context.deadline, 60_000, "the deadline of this server's own writes does not count");
  });

  const unreached: readonly (readonly [name: string, options: Parameters<typeof proxying>[1], answer: string])[] = [
    ['the APIService is unavailable', { service: serviceOf({ isAvailable: false }) }, 'service unavailable\n'],
    [
      'this server has proxied the request already',
      { isProxied: true },
      'error trying to reach service: the request is proxied in a circle\n',
    ],
  ];
  for (const [name, options, answer] of unreached) {
    it(`is answered 503 and reaches no backend when ${name}`, async () => {
      const { answered, exchange, backends } = proxying(() => messageOf(), options);
      await answered();
      assert.deepEqual([exchange.status, exchange.body, backends.received.length], [503, answer, 0]);
    });
  }

  it('is answered 503 when the service has no address', async () => {
    const { answered, exchange, backends } = proxying(() => messageOf());
    backends.address = () => Promise.reject(new Error('no endpoints'));
    await answered();
    assert.deepEqual([exchange.status, exchange.body], [503, 'service unavailable\n']);
  });

  it('is answered 503 with the reason when the connection fails', async () => {
    const { answered, exchange } = proxying(refused);
    await answered();
    const reason = 'dial tcp 10.0.0.1:443: connect: connection refused';
    assert.deepEqual([exchange.status, exchange.body], [503, `error trying to reach service: ${reason}\n`]);
  });

  it('is answered 503 when the backend switches protocols without being asked', async () => {
    const { answered, exchange, backends } = proxying(() => ({
      upgraded: messageOf({ status: 101, headers: { upgrade: 'SPDY/3.1' } }),
    }));
    await answered();
    const reason = 'backend tried to switch protocol "SPDY/3.1" when "" was requested';
    assert.deepEqual([exchange.status, exchange.body], [503, `error trying to reach service: ${reason}\n`]);
    assert.equal(backends.upgraded[0]?.destroyed, true);
  });

  it('waits five seconds for discovery, and as long as it may for resources', async () => {
    for (const [path, isBounded] of [
      ['/apis/example.com/v1', true],
      [RESOURCE, false],
    ] as const) {
      const { answered, exchange, clock } = proxying(() => undefined, { path });
      const answer = answered();
      await clock.advance(4999);
      assert.equal(exchange.status, 0);
      await clock.advance(1);
      assert.equal(exchange.status, isBounded ? 503 : 0);
      if (isBounded) assert.equal(exchange.body, 'error trying to reach service: context deadline exceeded\n');
      else exchange.abort(new Error('over'));
      await answer.catch(() => undefined);
    }
  });

  it('ends with the request', async () => {
    const { answered, exchange } = proxying(() => undefined);
    const answer = assert.rejects(answered(), /^Error: over$/);
    await settle();
    exchange.abort(new Error('over'));
    await answer;
    assert.equal(exchange.answered, false);
  });
});
