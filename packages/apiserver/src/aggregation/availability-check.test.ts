import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Service } from '@binnacle/api/types/core-v1';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { AvailabilityCheck } from './availability-check.js';
import { messageOf, type Reaction } from '../testing/index.js';
import { FakeBackends, refused, serviceOf } from './backend.testing.js';

const URL_OF_BACKEND = 'https://10.0.0.1:443/apis/example.com/v1';
const FAILING = `failing or missing response from ${URL_OF_BACKEND}`;
const external: Service['spec'] = { type: 'ExternalName', externalName: 'x' };

function checking(react: () => Reaction, spec = external) {
  const clock = new VirtualClock();
  const backends = new FakeBackends(react);
  const found = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'api' }, ...(spec && { spec }) };
  const check = new AvailabilityCheck({
    services: { find: async () => found },
    endpointSlices: { list: async () => [] },
    backends,
    clock,
  });
  const service = serviceOf();
  assert.ok(service.backend);
  const { backend } = service;
  return { backends, clock, judge: () => check.judge(service, backend) };
}

describe('the availability of an APIService', () => {
  it('is missing when the service does not listen, and no request is sent', async () => {
    const { judge, backends } = checking(() => messageOf(), { type: 'ClusterIP', ports: [] });
    assert.equal((await judge()).reason, 'ServicePortError');
    assert.equal(backends.received.length, 0);
  });

  it('is given by one of five answers', async () => {
    const reactions: Reaction[] = [refused(), messageOf({ status: 500 }), messageOf({ status: 200, body: ['{}'] })];
    const { judge, backends } = checking(() => reactions.shift() ?? refused());
    assert.deepEqual(await judge(), { status: 'True', reason: 'Passed', message: 'all checks passed' });
    assert.equal(backends.received.length, 5);
    const [received] = backends.received;
    assert.deepEqual([received?.method, received?.url], ['GET', '/apis/example.com/v1']);
    assert.equal(received?.headers['x-remote-user'], 'system:kube-aggregator');
    assert.deepEqual(received?.headers['x-remote-group'], ['system:masters']);
  });

  const failures: readonly (readonly [name: string, react: () => Reaction, message: string])[] = [
    ['an error', () => messageOf({ status: 403 }), `${FAILING}: bad status from ${URL_OF_BACKEND}: 403`],
    ['a redirect', () => messageOf({ status: 302 }), `${FAILING}: bad status from ${URL_OF_BACKEND}: 302`],
    [
      'no connection',
      refused,
      `${FAILING}: Get "${URL_OF_BACKEND}": dial tcp 10.0.0.1:443: connect: connection refused`,
    ],
  ];
  for (const [name, react, message] of failures) {
    it(`is missing when all five get ${name}`, async () => {
      const { judge } = checking(react);
      assert.deepEqual(await judge(), { status: 'False', reason: 'FailedDiscoveryCheck', message });
    });
  }

  it('is missing when none answers within five seconds', async () => {
    const { judge, clock } = checking(() => undefined);
    const judged = judge();
    await clock.advance(5000);
    const reason = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    assert.equal((await judged).message, `${FAILING}: Get "${URL_OF_BACKEND}": ${reason}`);
    assert.equal(clock.waiting, 0);
  });

  it('is missing without an address', async () => {
    const { judge, backends } = checking(() => messageOf());
    backends.address = () => Promise.reject(new Error('no endpoints available for service "api"'));
    assert.equal((await judge()).message, 'no endpoints available for service "api"');
  });

  it('closes connections that switch protocols', async () => {
    const { judge, backends } = checking(() => ({ upgraded: messageOf({ status: 101 }) }));
    assert.equal((await judge()).message, `${FAILING}: bad status from ${URL_OF_BACKEND}: 101`);
    assert.deepEqual(
      backends.upgraded.map(({ destroyed }) => destroyed),
      Array(5).fill(true),
    );
  });

  it('reads no body, which could be endless', async () => {
    const message = messageOf({ body: ['{}'] });
    const { judge } = checking(() => message);
    await judge();
    assert.equal(message.destroyed, true);
  });
});
