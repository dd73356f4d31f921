import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { WebhookClientConfig } from '@binnacle/api/types/apiextensions-v1';
import { Egress } from '../egress/index.js';
import { makeTestCertificate } from '../testing/index.js';
import { WebhookCallError } from './call-error.js';
import type { ServiceResolver } from './service-resolver.js';
import { LongAnswers } from './long-answers.js';
import type { CallOptions, WebhookClientOptions } from './webhook-client.js';
import { createWebhookClient } from './webhook-clients.js';

const { certificate, privateKey } = makeTestCertificate('/CN=hook', {
  alternativeNames: 'DNS:hook.ours.svc,IP:127.0.0.1',
});
const caBundle = Buffer.from(certificate).toString('base64');
const noServices: ServiceResolver = () => Promise.reject(new WebhookCallError('no services'));

describe('WebhookClient', () => {
  let server: Server;
  let port: number;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let connections = 0;
  before(async () => {
    server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
      request.resume().on('end', () => answer(request, response));
    });
    server.on('secureConnection', () => connections++);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  function client(
    config: WebhookClientConfig,
    {
      timeoutSeconds = 30,
      ...options
    }: Partial<
      CallOptions & Pick<WebhookClientOptions, 'resolve' | 'egress' | 'longAnswers' | 'maximumAnswerBytes'>
    > = {},
  ) {
    const hook = createWebhookClient(config, {
      resolve: noServices,
      egress: new Egress(),
      maximumAnswerBytes: 1000,
      longAnswers: new LongAnswers(),
      clock: systemClock,
      ...options,
    });
    return {
      post: (body: Uint8Array, limits: Partial<CallOptions> = {}) =>
        hook.post([body.subarray(0, 1), body.subarray(1)], { timeoutSeconds, ...limits }),
      close: () => hook.close(),
    };
  }

  it('resolves a service, verifies its name, and keeps the connection', async () => {
    const asked: string[] = [];
    answer = (request, response) => {
      asked.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
      response.end('{}');
    };
    const service = { name: 'hook', namespace: 'ours', path: 'convert', port: 8443 };
    const hook = client({ service, caBundle }, { resolve: () => Promise.resolve({ host: '127.0.0.1', port }) });
    connections = 0;
    for (let count = 0; count < 3; count++) assert.equal((await hook.post(Buffer.from('{}'))).toString(), '{}');
    assert.equal(connections, 1);
    assert.deepEqual(asked, Array<string>(3).fill('hook.ours.svc:8443/convert?timeout=30s'));
    hook.close();
  });

  it('fails at once when the webhook switches protocols, and closes the connection', async () => {
    answer = ({ socket }) => {
      socket.on('error', () => undefined).on('close', () => closed());
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nmore');
    };
    let closed = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const hook = client({ url: `https://127.0.0.1:${String(port)}/`, caBundle });
    const words = 'the server responded with the status code 101 but did not return more information';
    await assert.rejects(hook.post(Buffer.from('{}')), { name: 'WebhookCallError', message: words });
    await isClosed;
    hook.close();
  });

  it('fails at once when the webhook sends informational answers without an end, and closes the connection', async () => {
    const flood = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(600);
    const closed = new Promise<void>((resolve) => {
      answer = ({ socket }) => {
        socket.on('error', () => undefined).on('close', resolve);
        const more = (): unknown => socket.writable && socket.write(flood, more);
        more();
      };
    });
    const hook = client({ url: `https://127.0.0.1:${String(port)}/`, caBundle });
    const words = /: too many 1xx informational responses$/;
    await assert.rejects(hook.post(Buffer.from('{}')), { name: 'WebhookCallError', message: words });
    await closed;
    hook.close();
  });

  it("refuses a service with another name's certificate", async () => {
    answer = (_, response) => response.end('{}');
    const service = { name: 'other', namespace: 'ours' };
    const hook = client({ service, caBundle }, { resolve: () => Promise.resolve({ host: '127.0.0.1', port }) });
    await assert.rejects(hook.post(Buffer.from('{}')), {
      name: 'WebhookCallError',
      message: /^Post "https:\/\/other\.ours\.svc:443\/\?timeout=30s": tls: failed to verify certificate: x509: /,
    });
    hook.close();
  });

  it("trusts a bundle with the server's own certificate, which is signed by another", async () => {
    const issuer = makeTestCertificate('/CN=authority');
    const signed = makeTestCertificate('/CN=hook', { issuer });
    await using own = createServer({ cert: signed.certificate, key: signed.privateKey }, (request, response) => {
      request.resume().on('end', () => response.end('{}'));
    });
    own.listen(0, '127.0.0.1');
    await once(own, 'listening');
    const url = `https://127.0.0.1:${String((own.address() as AddressInfo).port)}/`;
    const hook = client({ url, caBundle: Buffer.from(signed.certificate).toString('base64') });
    assert.equal((await hook.post(Buffer.from('{}'))).toString(), '{}');
    hook.close();
  });

  it('calls no denied network, by address or by name', async () => {
    answer = (_, response) => response.end('{}');
    connections = 0;
    for (const host of ['127.0.0.1', 'localhost']) {
      const egress = new Egress(['127.0.0.0/8', '::1/128']);
      const hook = client({ url: `https://${host}:${String(port)}/`, caBundle }, { egress });
      await assert.rejects(hook.post(Buffer.from('{}')), {
        name: 'WebhookCallError',
        message: /^Post "https:.*": dial tcp .*: the server may not connect to this network$/,
      });
      hook.close();
    }
    const egress = new Egress(['127.0.0.0/8']);
    const resolve = () => Promise.resolve({ host: '127.0.0.1', port });
    const hook = client({ service: { name: 'hook', namespace: 'ours' }, caBundle }, { egress, resolve });
    await assert.rejects(hook.post(Buffer.from('{}')), /the server may not connect to this network$/);
    hook.close();
    assert.equal(connections, 0);
  });

  it('waits until its timeout', async () => {
    answer = () => undefined;
    const hook = client({ url: `https://127.0.0.1:${String(port)}/x`, caBundle }, { timeoutSeconds: 0.05 });
    await assert.rejects(hook.post(Buffer.from('{}')), { message: /: context deadline exceeded$/ });
    answer = (_, response) => response.write('{');
    await assert.rejects(hook.post(Buffer.from('{}')), { message: /: context deadline exceeded$/ });
    hook.close();
  });

  it('reads responses up to a limit, and aborts longer ones', async () => {
    const hook = client({ url: `https://127.0.0.1:${String(port)}/`, caBundle });
    answer = (_, response) => response.end(' '.repeat(1000));
    assert.equal((await hook.post(Buffer.from('{}'))).length, 1000);
    let closed: Promise<unknown> | undefined;
    answer = (_, response) => {
      closed = once(response, 'close');
      response.write(' '.repeat(1001));
    };
    await assert.rejects(hook.post(Buffer.from('{}')), { message: /the answer is longer than 1000 bytes$/ });
    await closed;
    hook.close();
  });

  it('finishes calls in progress before it closes connections', async () => {
    const hook = client({ url: `https://127.0.0.1:${String(port)}/`, caBundle });
    answer = (_, response) => {
      hook.close();
      response.end('done');
    };
    assert.equal((await hook.post(Buffer.from('{}'))).toString(), 'done');
  });

  it('ends with the deadline or the end of its request, and tells the webhook how long it may take', async () => {
    const hook = client({ url: `https://127.0.0.1:${String(port)}/x`, caBundle });
    const controller = new AbortController();
    let asked: string | undefined;
    answer = (request) => {
      asked = request.url;
      controller.abort(new Error('the client has left'));
    };
    const late = systemClock.monotonic() + 7500;
    await assert.rejects(hook.post(Buffer.from('{}'), { deadline: late, signal: controller.signal }), {
      message: /: context canceled$/,
    });
    assert.equal(asked, '/x?timeout=8s');
    const past = systemClock.monotonic() - 1;
    await assert.rejects(hook.post(Buffer.from('{}'), { deadline: past }), { message: /: context deadline exceeded$/ });
    hook.close();
  });

  it('follows a redirect, with a GET', async () => {
    const hook = client({ url: `https://127.0.0.1:${String(port)}/a`, caBundle });
    const asked: string[] = [];
    answer = (request, response) => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers['content-length'] ?? ''}`);
      if (request.method === 'POST') response.writeHead(302, { location: '/b' }).end();
      else response.end('{}');
    };
    assert.equal((await hook.post(Buffer.from('{}'))).toString(), '{}');
    assert.deepEqual(asked, ['POST /a?timeout=30s 2', 'GET /b ']);
    hook.close();
  });

  it('sends the request again when a kept connection was closed before it', async () => {
    const used = new WeakSet<object>();
    answer = ({ socket }, response) => {
      if (used.has(socket)) {
        socket.destroy();
        return;
      }
      used.add(socket);
      response.end('{}');
    };
    const hook = client({ url: `https://127.0.0.1:${String(port)}/`, caBundle });
    for (let count = 0; count < 3; count++) assert.equal((await hook.post(Buffer.from('{}'))).toString(), '{}');
    hook.close();
  });

  it('reports answers that break off, and connections that are closed without one', async () => {
    const hook = client({ url: `https://127.0.0.1:${String(port)}/`, caBundle });
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setImmediate(() => response.destroy());
    };
    await assert.rejects(hook.post(Buffer.from('{}')), {
      message: 'unexpected error when reading response body. Please retry. Original error: unexpected EOF',
    });
    answer = (request) => request.socket.destroy();
    await assert.rejects(hook.post(Buffer.from('{}')), { message: /^Post ".*": EOF$/ });
    hook.close();
  });

  it('reads few long answers at once, and short ones meanwhile', async () => {
    const longAnswers = new LongAnswers(1);
    const hook = client(
      { url: `https://127.0.0.1:${String(port)}/`, caBundle },
      { longAnswers, maximumAnswerBytes: 1024 * 1024 },
    );
    const text = ' '.repeat(512 * 1024);
    const held: ServerResponse[] = [];
    answer = (_, response) => {
      response.write(text);
      held.push(response);
      if (held.length === 2) answer = (_, short) => short.end('{}');
    };
    const both = [hook.post(Buffer.from('{}')), hook.post(Buffer.from('{}'))];
    while (held.length < 2) await new Promise(setImmediate);
    assert.equal((await hook.post(Buffer.from('{}'))).toString(), '{}');
    for (const response of held) response.end();
    for (const { length } of await Promise.all(both)) assert.equal(length, text.length);
    hook.close();
  });
});
