import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Pod } from '@binnacle/api/types/core-v1';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import { parseRequestInfo, RequestContext } from '../request/index.js';
import { FakeBackend, FakeExchange, messageOf, type Reaction } from '../testing/index.js';
import { type Destination, urlOf } from './destination.js';
import { podLog } from './pod-log.js';

const pod = (nodeName?: string): Pod => ({ metadata: { name: 'p' }, spec: { nodeName, containers: [{ name: 'c' }] } });
const address = { scheme: 'https', host: '10.0.0.1', port: 10_250 } as const;
const URL_OF_LOG = 'https://10.0.0.1:10250/containerLogs/n/p/c';

/** Reads a log from a kubelet that reacts like this. */
async function logOf(react: () => Reaction, { query = '', nodeName = 'm' } = {}) {
  const backend = new FakeBackend(react);
  const exchange = new FakeExchange({});
  const context = new RequestContext(exchange, '/api/v1/namespaces/n/pods/p/log', new URLSearchParams(query), 0);
  context.info = parseRequestInfo('GET', context.path, context.query);
  const opened: Destination[] = [];
  const node: Node = {};
  // The handler asks for nothing else.
  const destinations = { pod: async () => pod(nodeName), kubelet: async () => ({ node, address }) } as never;
  const handler = podLog({
    destinations,
    clock: new VirtualClock(),
    userHeaders: { names: [], prefixes: [] },
    connections: {
      open: (to, sent) => {
        opened.push(to);
        return backend.open({ ...sent, url: '' });
      },
    },
  });
  await handler(context);
  return { exchange, opened };
}

describe('the log of a pod', () => {
  it('is what the kubelet sends, as plain text', async () => {
    const answer = messageOf({ headers: { 'content-type': 'odd/type', 'x-odd': '1' }, body: ['a\n', 'b\n'] });
    const { exchange, opened } = await logOf(() => answer, { query: 'tailLines=2&follow=true' });
    assert.deepEqual([exchange.status, exchange.body, exchange.ended], [200, 'a\nb\n', true]);
    assert.deepEqual(exchange.responseHeaders, { 'content-type': 'text/plain' });
    assert.deepEqual(
      opened.map((to) => [urlOf(to), to.trust]),
      [[`${URL_OF_LOG}?follow=true&tailLines=2`, 'kubelet']],
    );
  });

  it('is from a kubelet that is not verified if the client wants that', async () => {
    const { opened } = await logOf(() => messageOf(), { query: 'insecureSkipTLSVerifyBackend=true' });
    assert.equal(opened[0]?.trust, 'unverified kubelet');
  });

  it('is empty before the pod has a node', async () => {
    const { exchange, opened } = await logOf(() => undefined, { nodeName: '' });
    assert.deepEqual([exchange.status, opened], [204, []]);
  });

  const unable = 'the server is currently unable to handle the request ( pods/log p)';
  for (const [status, code, reason, message] of [
    [400, 400, 'BadRequest', 'why'],
    [404, 404, 'NotFound', 'the server could not find the requested resource ( pods/log p)'],
    [500, 500, 'InternalError', 'Internal error occurred: why'],
    [503, 503, 'ServiceUnavailable', unable],
    [
      502,
      502,
      'InternalError',
      'an error on the server ("why") has prevented the request from succeeding ( pods/log p)',
    ],
  ] as const) {
    it(`reports the kubelet’s ${status}`, async () => {
      const failure = await logOf(() => messageOf({ status, body: ['why'] })).then(
        () => undefined,
        (error: unknown) => error,
      );
      assert.ok(failure instanceof StatusError);
      assert.deepEqual([failure.code, failure.reason, failure.message], [code, reason, message]);
    });
  }

  it('reports a kubelet that cannot be reached, and forbids redirects', async () => {
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED', address: '10.0.0.1', port: 10_250 });
    await assert.rejects(
      logOf(() => refused),
      {
        message: `Get "${URL_OF_LOG}": dial tcp 10.0.0.1:10250: connect: connection refused`,
        code: 500,
      },
    );
    const redirect = messageOf({ status: 302, headers: { location: '/x' } });
    await assert.rejects(
      logOf(() => redirect),
      { message: `Get "${URL_OF_LOG}": redirects forbidden` },
    );
  });
});
